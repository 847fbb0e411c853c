import type { Kysely } from 'kysely'

/** Gates keep which account decided, and how: a name given along proves nothing. */
// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  for (const column of ['decided_account', 'decided_how']) {
    await db.schema
      .alterTable('gates')
      .addColumn(column, 'text', (definition) => definition.notNull().defaultTo(''))
      .execute()
  }
}
