import { shortHash } from '../text/ids.ts'
import type { Queries } from './storage.ts'

/** Tables whose ids are other programs', so that two people may have the same one. */
export type SharedIds = 'conversations' | 'exchanges'

/** Ids are looked for so many at a time: SQLite allows 32,766 parameters. */
const AT_ONCE = 500

/** What is somebody else's already is called so where it is this person's, always the same. */
export function derivedId(person: string, id: string): string {
  return shortHash(JSON.stringify(['person', person, id]), 16)
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
    const derived = new Map(wanted.slice(at, at + AT_ONCE).map((id) => [id, derivedId(person, id)]))
    const ownerOf = await ownersOf(db, table, [...derived.keys(), ...derived.values()])
    const isForeign = (id: string) => (ownerOf.get(id) ?? person) !== person
    // Once derived, always derived: the other one may have gone since.
    for (const [id, own] of derived) found.set(id, isForeign(id) || ownerOf.has(own) ? own : id)
  }
  return found
}

async function ownersOf(db: Queries, table: SharedIds, ids: readonly string[]): Promise<Map<string, string>> {
  const rows =
    table === 'conversations'
      ? await db.selectFrom('conversations').select(['id', 'person']).where('id', 'in', ids).execute()
      : await db
          .selectFrom('exchanges')
          .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
          .select(['exchanges.id', 'conversations.person'])
          .where('exchanges.id', 'in', ids)
          .execute()
  return new Map(rows.map(({ id, person }) => [id, person]))
}
