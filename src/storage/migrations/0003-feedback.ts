import type { Kysely } from 'kysely'
import { deterministicUuid } from '../../text/ids.ts'

/** Gates keep their task's description, captures the task and the person they come from. */
// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  await addText(db, 'gates', 'task_description')
  for (const table of ['knowledge_staging', 'knowledge_sightings']) {
    await addText(db, table, 'task')
    await addText(db, table, 'person')
  }
  await nameTasksOfRejections(db)
  await refileOtherSpellings(db)
}

// biome-ignore lint/suspicious/noExplicitAny: see above
async function addText(db: Kysely<any>, table: string, column: string): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(column, 'text', (definition) => definition.notNull().defaultTo(''))
    .execute()
}

/** Rejections were kept without the title of their task, so that no similar task found them; their gates know it. */
// biome-ignore lint/suspicious/noExplicitAny: see above
async function nameTasksOfRejections(db: Kysely<any>): Promise<void> {
  const gates = await db
    .selectFrom('gates')
    .select(['id', 'task_title'])
    .where('state', '=', 'rejected')
    .where('task_title', '!=', '')
    .execute()
  for (const gate of gates) {
    const id = deterministicUuid('gate', gate.id, 'rejection')
    for (const table of ['knowledge_staging', 'knowledge_entries']) {
      const row = await db.selectFrom(table).select('content').where('id', '=', id).executeTakeFirst()
      if (!row) continue
      const content = JSON.stringify({ ...JSON.parse(row.content), task_title: gate.task_title })
      const outdated = table === 'knowledge_entries' ? { outdated: 1 } : {}
      await db
        .updateTable(table)
        .set({ content, ...outdated })
        .where('id', '=', id)
        .execute()
    }
  }
}

/** Filters ignore case now: documents filed under another spelling are written again by the next checkpoint. */
// biome-ignore lint/suspicious/noExplicitAny: see above
async function refileOtherSpellings(db: Kysely<any>): Promise<void> {
  await db
    .updateTable('knowledge_entries')
    .set({ outdated: 1 })
    .where((row) =>
      row.or(
        ['agent_type', 'task_type', 'technology'].map((column) =>
          row(row.fn('lower', [column]), '!=', row.ref(column)),
        ),
      ),
    )
    .execute()
}
