import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** What conversations are about, kept so that it stays the same from day to day; and which tags nobody has given by hand. */
// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('conversation_topics')
    .addColumn('person', 'text', required)
    .addColumn('id', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('named_by', 'text', required)
    .addColumn('named_from', 'integer', required)
    .addColumn('made_at', 'bigint', required)
    .addPrimaryKeyConstraint('conversation_topics_key', ['person', 'id'])
    .execute()
  await db.schema
    .createTable('conversation_topic_members')
    .addColumn('conversation_id', 'text', (column) => of('conversations.id')(column).primaryKey())
    .addColumn('topic_id', 'text', required)
    .addColumn('fit', 'double precision', required)
    .execute()
  await db.schema
    .createIndex('conversation_topic_members_topic')
    .on('conversation_topic_members')
    .columns(['topic_id'])
    .execute()
  await db.schema
    .alterTable('conversation_tags')
    .addColumn('automatic', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('conversation_tags_removed')
    .addColumn('conversation_id', 'text', of('conversations.id'))
    .addColumn('tag', 'text', required)
    .addPrimaryKeyConstraint('conversation_tags_removed_key', ['conversation_id', 'tag'])
    .execute()
}

const required = (column: ColumnDefinitionBuilder) => column.notNull()
/** Goes when what it belongs to goes. */
const of = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(target).onDelete('cascade')
