import type { Kysely } from 'kysely'

const TABLES = ['gates', 'knowledge_staging', 'knowledge_entries', 'knowledge_sightings']

/** A project is its id, not its path. What is here was filed under the path until the project says which one it is. */
// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  for (const table of TABLES) {
    await db.schema
      .alterTable(table)
      .addColumn('project_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db
      .updateTable(table)
      .set((row) => ({ project_id: row.ref('project') }))
      .execute()
  }
  await db.schema.dropIndex('gates_project_task_id').execute()
  await index(db, 'gates', ['project_id', 'task_id'])
  for (const table of TABLES.slice(1)) await index(db, table, ['project_id'])
}

async function index(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex([table, ...columns].join('_'))
    .on(table)
    .columns(columns)
    .execute()
}
