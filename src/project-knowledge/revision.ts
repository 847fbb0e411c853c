import { FREE } from '../storage/leases.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import type { EntryRow, StagingRow } from '../storage/tables.ts'
import { filedColumns } from './capture.ts'
import type { GateRejection } from './entry.ts'
import { knowledgeOf } from './rows.ts'

/**
 * Completes a rejection with how it was met, wherever it is by now. Returns its id, or undefined when it has been
 * forgotten or merged with another one, which then says how.
 */
export async function reviseRejection(
  db: StorageTransaction,
  id: string,
  revisionApproach: string,
): Promise<string | undefined> {
  const staged = await db.selectFrom('knowledge_staging').selectAll().where('id', '=', id).executeTakeFirst()
  if (staged) {
    const columns = filedColumns(revised(staged, revisionApproach))
    await db
      .updateTable('knowledge_staging')
      // Whoever is embedding the old words right now finds its lease gone and leaves the row alone.
      .set({ ...columns, ...FREE })
      .where('id', '=', id)
      .execute()
    return id
  }
  const embedded = await db
    .selectFrom('knowledge_entries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return embedded && reviseEmbedded(db, embedded, revisionApproach)
}

/** Shown with the new words at once, found by them after the next checkpoint. */
async function reviseEmbedded(
  db: StorageTransaction,
  row: EntryRow,
  revisionApproach: string,
): Promise<string | undefined> {
  const { verified: _, ...columns } = filedColumns(revised(row, revisionApproach))
  const twin = await db
    .selectFrom('knowledge_entries')
    .select('id')
    .where('twin_key', '=', columns.twin_key)
    .executeTakeFirst()
  if (twin) return undefined
  await db
    .updateTable('knowledge_entries')
    .set({ ...columns, outdated: 1 })
    .where('id', '=', row.id)
    .execute()
  return row.id
}

function revised(row: StagingRow | EntryRow, revisionApproach: string): GateRejection {
  return { ...(knowledgeOf(row) as GateRejection), revisionApproach }
}
