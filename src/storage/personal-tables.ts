import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queries, StorageTransaction } from './storage.ts'
import type { KnowledgeTables, Tables } from './tables.ts'

/** Tables whose rows are a person's own. Knowledge is everybody's: it only keeps the name of who found it. */
type PersonalTable = {
  [Name in keyof Tables]: Tables[Name] extends { person: string } ? Name : never
}[Exclude<keyof Tables, keyof KnowledgeTables>]

/** What tells the rows of one person apart; nothing where they have an id of their own. The type forgets none. */
const PERSONAL_TABLES: {
  readonly [Name in PersonalTable]: readonly (keyof Tables[Name] & string)[]
} = {
  person_settings: ['key'],
  conversations: [],
  conversation_votes: ['kind', 'item_id'],
  conversation_topics: ['id'],
  conversation_sources: ['path'],
  conversation_work: [],
  conversation_workers: [],
  conversation_worker_totals: ['worker'],
  document_sources: [],
  documents: [],
  document_pieces: [],
  spend: ['month', 'purpose', 'model'],
}

/** Of tables that count: what both have is added up, so that nothing spent is forgotten. */
const SUMS: { readonly [Name in PersonalTable]?: readonly (keyof Tables[Name] & string)[] } = {
  conversation_worker_totals: ['completed', 'failed'],
  spend: ['calls', 'input_tokens', 'output_tokens', 'usd', 'estimated_usd', 'unpriced_calls'],
}

/** The one person of a file. */
export const SELF = 'self'

const TABLES = Object.entries(PERSONAL_TABLES) as [PersonalTable, readonly string[]][]

/** Rows to adopt: those from a time before there were people; in a file that is one person's, all there are. */
type Strays = 'nobodys' | 'all others'

export async function hasStrays(db: Queries, person: string, which: Strays): Promise<boolean> {
  for (const [table] of TABLES) {
    // Built, not raw: raw SQL passes for writing, which makes a file that is not there yet.
    const stray = db.selectFrom(table).select(sql`1`.as('one')).where(isStray(person, which)).limit(1)
    if (await stray.executeTakeFirst()) return true
  }
  return false
}

/** Makes them the person's. Where both have said something, what the person has said stays. Returns how many conversations. */
export async function adoptStrays(db: StorageTransaction, person: string, which: Strays): Promise<number> {
  let conversations = 0
  for (const [name, key] of TABLES) {
    const table = sql.table(name)
    const stray = isStray(person, which)
    if (key.length > 0) {
      const same = key.map((column) => sql`mine.${sql.ref(column)} = stray.${sql.ref(column)}`)
      const theirs = sql`from ${table} as stray where ${stray} and ${sql.join(same, sql` and `)}`
      const added = (SUMS[name] ?? []).map(
        (column) =>
          sql`${sql.ref(column)} = ${sql.ref(column)} + (select coalesce(sum(stray.${sql.ref(column)}), 0) ${theirs})`,
      )
      if (added.length > 0)
        await sql`update ${table} as mine set ${sql.join(added)} where mine.person = ${person}`.execute(db)
      await sql`delete from ${table} as stray where ${stray} and exists
        (select 1 from ${table} as mine where mine.person = ${person} and ${sql.join(same, sql` and `)})`.execute(
        db,
      )
    }
    const { numAffectedRows } = await sql`update ${table} set person = ${person} where ${stray}`.execute(db)
    if (name === 'conversations') conversations = Number(numAffectedRows ?? 0)
  }
  return conversations
}

/** As two ranges, so that an index serves it. */
function isStray(person: string, which: Strays): RawBuilder<SqlBool> {
  return which === 'nobodys'
    ? sql<SqlBool>`person = ''`
    : sql<SqlBool>`(person < ${person} or person > ${person})`
}
