import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', primaryKey)
    .addColumn('value', 'text', required)
    .addColumn('updated_at', 'bigint', required)
    .execute()

  await knowledgeTable(db, 'knowledge_staging')
    .addColumn('verified', 'integer', required)
    .addColumn('success_count', 'integer', required)
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', required)
    .execute()
  await index(db, 'knowledge_staging', ['captured_at', 'id'])
  await index(db, 'knowledge_staging', ['lease_owner'])

  await knowledgeTable(db, 'knowledge_entries')
    .addColumn('success_count', 'integer', required)
    .addColumn('helped', 'integer', required)
    .addColumn('misled', 'integer', required)
    .addColumn('embedded_at', 'bigint', required)
    .addColumn('outdated', 'integer', required)
    .addUniqueConstraint('knowledge_entries_twins', ['twin_key'])
    .execute()
  await index(db, 'knowledge_entries', ['embedded_at', 'id'])
  await index(db, 'knowledge_entries', ['captured_at', 'id'])
  await index(db, 'knowledge_entries', ['outdated', 'id'])
  await index(db, 'knowledge_entries', ['problem_key'])
  await index(db, 'knowledge_entries', ['solution_key'])

  await db.schema
    .createTable('knowledge_sightings')
    .addColumn('id', 'text', primaryKey)
    .addColumn('entry_id', 'text', ofEntry)
    .addColumn('project', 'text', required)
    .addColumn('seen_at', 'bigint', required)
    .execute()
  await index(db, 'knowledge_sightings', ['entry_id'])

  await db.schema
    .createTable('knowledge_injections')
    .addColumn('id', 'text', required)
    .addColumn('entry_id', 'text', ofEntry)
    .addColumn('project', 'text', required)
    .addColumn('task', 'text', required)
    .addColumn('injected_at', 'bigint', required)
    .addColumn('outcome', 'text')
    .addColumn('outcome_at', 'bigint')
    .addPrimaryKeyConstraint('knowledge_injections_key', ['id', 'entry_id'])
    .execute()
  await index(db, 'knowledge_injections', ['entry_id'])

  await db.schema
    .createTable('knowledge_checkpoints')
    .addColumn('id', 'text', primaryKey)
    .addColumn('trigger_name', 'text', required)
    .addColumn('project', 'text')
    .addColumn('started_at', 'bigint', required)
    .addColumn('finished_at', 'bigint')
    .addColumn('embedded', 'integer', required)
    .addColumn('merged', 'integer', required)
    .addColumn('problem', 'text')
    .execute()

  await gatesTable(db)
}

/** The columns that a staged and an embedded entry share. */
function knowledgeTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'text', primaryKey)
    .addColumn('entry_type', 'text', required)
    .addColumn('project', 'text', required)
    .addColumn('agent_type', 'text', required)
    .addColumn('task_type', 'text', required)
    .addColumn('technology', 'text', required)
    .addColumn('content', 'text', required)
    .addColumn('twin_key', 'text', required)
    .addColumn('problem_key', 'text', required)
    .addColumn('solution_key', 'text', required)
    .addColumn('captured_at', 'bigint', required)
}

async function gatesTable(db: Kysely<unknown>): Promise<void> {
  let table = db.schema.createTable('gates').addColumn('id', 'text', primaryKey)
  const texts = ['project', 'feature', 'task_id', 'task_title', 'gate_type', 'agent_type', 'task_type']
  for (const name of [...texts, 'technology', 'approach', 'change_text', 'state', 'feedback', 'decided_by']) {
    table = table.addColumn(name, 'text', required)
  }
  await table
    .addColumn('attempt', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('decided_at', 'bigint')
    .execute()
  await index(db, 'gates', ['state', 'created_at'])
  await index(db, 'gates', ['project', 'task_id'])
}

async function index(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex([table, ...columns].join('_'))
    .on(table)
    .columns(columns)
    .execute()
}

const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey()
const required = (column: ColumnDefinitionBuilder) => column.notNull()
/** Goes when its entry goes. */
const ofEntry = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('knowledge_entries.id').onDelete('cascade')
