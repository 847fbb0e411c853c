import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** A person's own documents: what they have added, the files of it, and these in pieces. */
// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('document_sources')
    .addColumn('id', 'text', primaryKey)
    .addColumn('person', 'text', required)
    .addColumn('home', 'text', required)
    .addColumn('path', 'text', required)
    .addColumn('is_folder', 'integer', required)
    .addColumn('most_files', 'bigint', required)
    .addColumn('most_bytes', 'bigint')
    .addColumn('added_at', 'bigint', required)
    .addColumn('synced_at', 'bigint')
    .execute()
  await db.schema
    .createTable('documents')
    .addColumn('id', 'text', primaryKey)
    .addColumn('source_id', 'text', of('document_sources.id'))
    .addColumn('person', 'text', required)
    .addColumn('path', 'text', required)
    .addColumn('format', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('size', 'bigint', required)
    .addColumn('stamp', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('pieces', 'integer', required)
    .addColumn('problem', 'text')
    .addColumn('read_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('document_pieces')
    .addColumn('id', 'text', primaryKey)
    .addColumn('document_id', 'text', of('documents.id'))
    .addColumn('person', 'text', required)
    .addColumn('position', 'integer', required)
    .addColumn('headings', 'text', required)
    .addColumn('first_at', 'integer', required)
    .addColumn('last_at', 'integer', required)
    .addColumn('tokens', 'integer', required)
    .addColumn('text', 'text', required)
    .addColumn('revision', 'bigint', required)
    .execute()
  for (const [table, columns] of [
    ['document_sources', ['person', 'path']],
    ['documents', ['source_id', 'path']],
    ['documents', ['person']],
    ['document_pieces', ['document_id', 'position']],
    ['document_pieces', ['person', 'revision']],
  ] as const)
    await db.schema
      .createIndex(`${table}_${columns.join('_')}`)
      .on(table)
      .columns([...columns])
      .execute()
}

const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey()
const required = (column: ColumnDefinitionBuilder) => column.notNull()
const of = (parent: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(parent).onDelete('cascade')
