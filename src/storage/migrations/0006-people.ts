import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/**
 * Conversations and all about them belong to a person. Whom the rows from before belong to is not known here: nobody's
 * name stands in them until the first person opens this storage (`identity/person.ts`).
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  await peopleTables(db)
  await db.schema.alterTable('conversations').addColumn('person', 'text', nobodys).execute()
  await db.schema
    .alterTable('conversations')
    .addColumn('shared', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('conversations_person_updated_at')
    .on('conversations')
    .columns(['person', 'updated_at'])
    .execute()
  for (const table of ['conversation_work', 'conversation_workers'])
    await db.schema.alterTable(table).addColumn('person', 'text', nobodys).execute()
  await keyedByPerson(db, 'conversation_sources', ['path'])
  await keyedByPerson(db, 'conversation_worker_totals', ['worker'])
  await moveVotes(db)
  await moveSettings(db)
}

// biome-ignore lint/suspicious/noExplicitAny: see above
async function peopleTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('people')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('made_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('people_homes')
    .addColumn('home_id', 'text', required)
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id').onDelete('cascade'))
    .addColumn('machine', 'text', required)
    .addColumn('linked_at', 'bigint', required)
    .addPrimaryKeyConstraint('people_homes_key', ['home_id', 'person_id'])
    .execute()
  await db.schema
    .createTable('person_settings')
    .addColumn('person', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('value', 'text', required)
    .addColumn('updated_at', 'bigint', required)
    .addPrimaryKeyConstraint('person_settings_key', ['person', 'key'])
    .execute()
  await db.schema
    .createTable('conversation_votes')
    .addColumn('person', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('item_id', 'text', required)
    .addColumn('votes', 'integer', required)
    .addPrimaryKeyConstraint('conversation_votes_key', ['person', 'kind', 'item_id'])
    .execute()
  await db.schema
    .createTable('conversation_withdrawals')
    .addColumn('revision', 'bigint', (column) => column.primaryKey())
    .addColumn('conversation_id', 'text', required)
    .addColumn('exchange_ids', 'text', required)
    .execute()
}

/** No dialect that we know changes a primary key in place alike: the rows go into a new table under the old name. */
// biome-ignore lint/suspicious/noExplicitAny: see above
async function keyedByPerson(db: Kysely<any>, table: string, key: string[]): Promise<void> {
  const former = `${table}_before_people`
  await db.schema.alterTable(table).renameTo(former).execute()
  const columns = COLUMNS[table]!
  let made = db.schema.createTable(table).addColumn('person', 'text', required)
  for (const [name, type] of columns) made = made.addColumn(name, type, required)
  await made.addPrimaryKeyConstraint(`${table}_by_person`, ['person', ...key] as never).execute()
  const names = columns.map(([name]) => name)
  await db
    .insertInto(table)
    .columns(['person', ...names])
    .expression(
      db
        .selectFrom(former)
        .select((row) => row.val('').as('person'))
        .select(names),
    )
    .execute()
  await db.schema.dropTable(former).execute()
}

const COLUMNS: {
  readonly [table: string]: readonly (readonly [string, 'text' | 'bigint' | 'double precision'])[]
} = {
  conversation_sources: [
    ['path', 'text'],
    ['identity', 'text'],
    ['size', 'bigint'],
    ['modified_at', 'double precision'],
    ['byte_offset', 'bigint'],
    ['fingerprint', 'text'],
  ],
  conversation_worker_totals: [
    ['worker', 'text'],
    ['completed', 'bigint'],
    ['failed', 'bigint'],
    ['input_tokens', 'bigint'],
    ['output_tokens', 'bigint'],
    ['spend_usd', 'double precision'],
    ['unpriced_calls', 'bigint'],
  ],
}

/** A vote is of whoever casts it, also on what somebody else has shared. */
// biome-ignore lint/suspicious/noExplicitAny: see above
async function moveVotes(db: Kysely<any>): Promise<void> {
  for (const [kind, table] of [
    ['conversation', 'conversations'],
    ['exchange', 'exchanges'],
  ] as const) {
    await db
      .insertInto('conversation_votes')
      .columns(['person', 'kind', 'item_id', 'votes'])
      .expression(
        db
          .selectFrom(table)
          .select((row) => [row.val('').as('person'), row.val(kind).as('kind'), 'id', 'votes'])
          .where('votes', '!=', 0),
      )
      .execute()
    await db.schema.dropIndex(`${table}_voted`).execute()
    await db.schema.alterTable(table).dropColumn('votes').execute()
  }
}

/** What is set about conversations is set by a person, for themselves. */
// biome-ignore lint/suspicious/noExplicitAny: see above
async function moveSettings(db: Kysely<any>): Promise<void> {
  await db
    .insertInto('person_settings')
    .columns(['person', 'key', 'value', 'updated_at'])
    .expression(
      db
        .selectFrom('settings')
        .select((row) => [row.val('').as('person'), 'key', 'value', 'updated_at'])
        .where('key', 'like', 'conversations.%'),
    )
    .execute()
  await db.deleteFrom('settings').where('key', 'like', 'conversations.%').execute()
}

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const nobodys = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
