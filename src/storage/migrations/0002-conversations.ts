import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  await historyTables(db)
  await workTables(db)
  await db.schema
    .createTable('conversation_sources')
    .addColumn('path', 'text', primaryKey)
    .addColumn('identity', 'text', required)
    .addColumn('size', 'bigint', required)
    .addColumn('modified_at', 'double precision', required)
    .addColumn('byte_offset', 'bigint', required)
    .addColumn('fingerprint', 'text', required)
    .execute()
  await db.schema
    .createTable('counters')
    .addColumn('name', 'text', primaryKey)
    .addColumn('value', 'bigint', required)
    .execute()
}

// biome-ignore lint/suspicious/noExplicitAny: see above
async function historyTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('conversations')
    .addColumn('id', 'text', primaryKey)
    .addColumn('title', 'text')
    .addColumn('source', 'text', required)
    .addColumn('project', 'text')
    .addColumn('parent_id', 'text')
    .addColumn('started_at', 'bigint')
    .addColumn('updated_at', 'bigint')
    .addColumn('exchange_count', 'integer', required)
    .addColumn('summary', 'text')
    .addColumn('summary_model', 'text')
    .addColumn('summary_due', 'integer', required)
    .addColumn('summarised_exchanges', 'integer', required)
    .addColumn('votes', 'integer', required)
    .addColumn('in_use_until', 'bigint', required)
    .addColumn('revision', 'bigint', required)
    .execute()
  await index(db, 'conversations', ['revision'])
  await index(db, 'conversations', ['updated_at'])
  await dueIndex(db, 'conversations', 'updated_at')
  await votedIndex(db, 'conversations')

  await db.schema
    .createTable('exchanges')
    .addColumn('id', 'text', primaryKey)
    .addColumn('conversation_id', 'text', of('conversations.id'))
    .addColumn('position', 'integer', required)
    .addColumn('user_message', 'text', required)
    .addColumn('assistant_message', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('started_at', 'bigint')
    .addColumn('completed_at', 'bigint')
    .addColumn('summarised', 'integer', required)
    .addColumn('summary_due', 'integer', required)
    .addColumn('votes', 'integer', required)
    .addColumn('revision', 'bigint', required)
    .execute()
  await index(db, 'exchanges', ['conversation_id', 'position'])
  await index(db, 'exchanges', ['revision'])
  await dueIndex(db, 'exchanges', 'completed_at')
  await votedIndex(db, 'exchanges')

  await db.schema
    .createTable('exchange_summaries')
    .addColumn('exchange_id', 'text', (column) => of('exchanges.id')(column).primaryKey())
    .addColumn('summary', 'text', required)
    .addColumn('model', 'text', required)
    .execute()

  await db.schema
    .createTable('exchange_messages')
    .addColumn('exchange_id', 'text', of('exchanges.id'))
    .addColumn('position', 'integer', required)
    .addColumn('role', 'text', required)
    .addColumn('content', 'text', required)
    .addColumn('tool_name', 'text')
    .addPrimaryKeyConstraint('exchange_messages_key', ['exchange_id', 'position'])
    .execute()

  await db.schema
    .createTable('conversation_tags')
    .addColumn('conversation_id', 'text', of('conversations.id'))
    .addColumn('tag', 'text', required)
    .addPrimaryKeyConstraint('conversation_tags_key', ['conversation_id', 'tag'])
    .execute()
  await index(db, 'conversation_tags', ['tag'])
}

// biome-ignore lint/suspicious/noExplicitAny: see above
async function workTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('conversation_work')
    .addColumn('worker', 'text', required)
    .addColumn('item_id', 'text', required)
    .addColumn('attempts', 'integer', required)
    .addColumn('not_before', 'bigint', required)
    .addColumn('given_up', 'integer', required)
    .addColumn('problem', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', required)
    .addColumn('reserved_usd', 'double precision', required)
    .addPrimaryKeyConstraint('conversation_work_key', ['worker', 'item_id'])
    .execute()
  await db.schema
    .createTable('conversation_workers')
    .addColumn('worker', 'text', required)
    .addColumn('owner', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('current_item', 'text')
    .addColumn('done', 'integer', required)
    .addColumn('total', 'integer', required)
    .addColumn('problem', 'text')
    .addColumn('seen_at', 'bigint', required)
    .addPrimaryKeyConstraint('conversation_workers_key', ['worker', 'owner'])
    .execute()
  await db.schema
    .createTable('conversation_worker_totals')
    .addColumn('worker', 'text', primaryKey)
    .addColumn('completed', 'bigint', required)
    .addColumn('failed', 'bigint', required)
    .addColumn('input_tokens', 'bigint', required)
    .addColumn('output_tokens', 'bigint', required)
    .addColumn('spend_usd', 'double precision', required)
    .addColumn('unpriced_calls', 'bigint', required)
    .execute()
}

async function index(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex([table, ...columns].join('_'))
    .on(table)
    .columns(columns)
    .execute()
}

/** Holds only what waits for a summary, so it stays small however large the history grows. */
async function dueIndex(db: Kysely<unknown>, table: string, order: string): Promise<void> {
  await db.schema
    .createIndex(`${table}_due`)
    .on(table)
    .columns([order])
    // biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
    .where('summary_due' as any, '=', 1)
    .execute()
}

/** Few rows ever get a vote; every search asks for all of them. */
async function votedIndex(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema
    .createIndex(`${table}_voted`)
    .on(table)
    .columns(['id', 'votes'])
    // biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
    .where('votes' as any, '!=', 0)
    .execute()
}

const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey()
const required = (column: ColumnDefinitionBuilder) => column.notNull()
/** Goes when what it belongs to goes. */
const of = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(target).onDelete('cascade')
