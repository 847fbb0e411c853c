import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Person } from '../identity/person.ts'
import type { Queries } from '../storage/storage.ts'
import type { Tables } from '../storage/tables.ts'
import { hashedId } from './record.ts'

/** For a query that has `conversations` in it: mine, or shared by whoever it is from. */
export function mayRead({ id }: Person): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'conversations'>()
  return is.or([is('conversations.person', '=', id), is('conversations.shared', '=', 1)])
}

export function isOwn({ id }: Person): Expression<SqlBool> {
  return expressionBuilder<Tables, 'conversations'>()('conversations.person', '=', id)
}

/** Ids are other programs', and may be somebody else's already: then ours is made of both, always the same. */
export function derivedId({ id: person }: Person, id: string): string {
  return hashedId('person', person, id)
}

/** The id under which each of the conversations is mine, or would be. */
export async function ownIds(
  db: Queries,
  person: Person,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const derived = new Map(ids.map((id) => [id, derivedId(person, id)]))
  const rows = await db
    .selectFrom('conversations')
    .select(['id', 'person'])
    .where('id', 'in', [...derived.keys(), ...derived.values()])
    .execute()
  const ownerOf = new Map(rows.map((row) => [row.id, row.person]))
  const isForeign = (id: string) => (ownerOf.get(id) ?? person.id) !== person.id
  // Once derived, always derived: the other one may have gone since.
  return new Map([...derived].map(([id, own]) => [id, isForeign(id) || ownerOf.has(own) ? own : id]))
}
