import { deterministicUuid, shortHash } from '../text/ids.ts'
import type { Queries } from './storage.ts'

/**
 * Tables in which two people may have the same id: those of conversations are other programs', and those of documents come along
 * with a home folder that was copied.
 */
export const SHARED_IDS = [
  'conversations',
  'exchanges',
  'document_sources',
  'documents',
  'document_pieces',
] as const
export type SharedIds = (typeof SHARED_IDS)[number]

/** Ids are looked for so many at a time: SQLite allows 32,766 parameters. */
const AT_ONCE = 500

/** What is somebody else's already is called so where it is this person's, always the same. */
export function derivedId(person: string, id: string): string {
  return shortHash(JSON.stringify(['person', person, id]), 16)
}

function derivedUuid(person: string, id: string): string {
  return deterministicUuid('person', person, id)
}

/** The id under which each of these is a person's own, or would be. */
export async function ownIds(
  db: Queries,
  table: SharedIds,
  person: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const wanted = [...new Set(ids)]
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const derive = table === 'conversations' || table === 'exchanges' ? derivedId : derivedUuid
    const derived = new Map(wanted.slice(at, at + AT_ONCE).map((id) => [id, derive(person, id)]))
    const ownerOf = await ownersOf(db, table, [...derived.keys(), ...derived.values()])
    const isForeign = (id: string) => (ownerOf.get(id) ?? person) !== person
    // Once derived, always derived: the other one may have gone since.
    for (const [id, own] of derived) found.set(id, isForeign(id) || ownerOf.has(own) ? own : id)
  }
  return found
}

async function ownersOf(db: Queries, table: SharedIds, ids: readonly string[]): Promise<Map<string, string>> {
  const rows =
    table === 'exchanges'
      ? await db
          .selectFrom('exchanges')
          .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
          .select(['exchanges.id', 'conversations.person'])
          .where('exchanges.id', 'in', ids)
          .execute()
      : await db.selectFrom(table).select(['id', 'person']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, person }) => [id, person]))
}
