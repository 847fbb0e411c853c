import { isHeld, type Leases } from '../storage/leases.ts'
import type { Storage } from '../storage/storage.ts'
import type { StagingRow } from '../storage/tables.ts'

/** Verified entries that no other checkpoint is working on, oldest first. */
export function claimStaged(
  storage: Storage,
  leases: Leases,
  { project, limit }: { project: string | undefined; limit: number },
): Promise<StagingRow[]> {
  return storage.claim(
    (db) => {
      const free = db
        .selectFrom('knowledge_staging')
        .selectAll()
        .where('verified', '=', 1)
        .where(leases.isFree())
        .orderBy('captured_at')
        .orderBy('id')
        .limit(limit)
      return project === undefined ? free : free.where('project_id', '=', project)
    },
    (db, rows) =>
      db
        .updateTable('knowledge_staging')
        .set(leases.taken())
        .where(
          'id',
          'in',
          rows.map((row) => row.id),
        )
        .execute(),
  )
}

/** Nothing happens to one that is already embedded: it had been verified. */
export async function markVerified(storage: Storage, id: string): Promise<void> {
  await storage.transaction(async (db) => {
    const row = await db
      .selectFrom('knowledge_staging')
      .select('content')
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) return
    const content = JSON.stringify({ ...JSON.parse(row.content), success_verified: true })
    await db.updateTable('knowledge_staging').set({ verified: 1, content }).where('id', '=', id).execute()
  })
}

export async function countStaged(
  storage: Storage,
  now: number,
  project?: string,
): Promise<{ unverified: number; elsewhere: number; waiting: number }> {
  const { db } = storage
  let query = db
    .selectFrom('knowledge_staging')
    .select(['verified', db.fn.countAll<number>().as('entries')])
    .select((row) => row.case().when(isHeld('knowledge_staging', now)).then(1).else(0).end().as('leased'))
    .groupBy(['verified', 'leased'])
  if (project !== undefined) query = query.where('project_id', '=', project)
  const counts = { unverified: 0, elsewhere: 0, waiting: 0 }
  for (const { verified, leased, entries } of await query.execute()) {
    counts[verified === 0 ? 'unverified' : leased === 1 ? 'elsewhere' : 'waiting'] += entries
  }
  return counts
}
