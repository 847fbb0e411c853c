import { hostname } from 'node:os'
import { errnoOf } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import type { StagingRow } from '../storage/tables.ts'

/** Longer than any batch should take; a run that needs more only risks that another one does the same work. */
const LEASE_MS = 5 * 60_000

export interface Claim {
  owner: string
  now: number
  project: string | undefined
  limit: number
}

/** Verified entries that no other checkpoint is working on, oldest first. */
export function claimStaged(storage: Storage, { owner, now, project, limit }: Claim): Promise<StagingRow[]> {
  return storage.claim(
    (db) => {
      const free = db
        .selectFrom('knowledge_staging')
        .selectAll()
        .where('verified', '=', 1)
        // A lease from further ahead than any lease reaches was taken by a clock that was wrong.
        .where((row) => row.or([row('lease_until', '<=', now), row('lease_until', '>', now + LEASE_MS)]))
        .orderBy('captured_at')
        .orderBy('id')
        .limit(limit)
      return project === undefined ? free : free.where('project', '=', project)
    },
    (db, rows) =>
      db
        .updateTable('knowledge_staging')
        .set({ lease_owner: owner, lease_until: now + LEASE_MS })
        .where(
          'id',
          'in',
          rows.map((row) => row.id),
        )
        .execute(),
  )
}

/** Gives back what a run has claimed and not finished. */
export async function releaseLeases(storage: Storage, owner: string): Promise<void> {
  await storage.db
    .updateTable('knowledge_staging')
    .set({ lease_owner: null, lease_until: 0 })
    .where('lease_owner', '=', owner)
    .execute()
}

/** A run that was killed on this machine has left its leases: nobody has to wait for them to end. */
export async function releaseOfTheDead(storage: Storage): Promise<void> {
  const rows = await storage.db
    .selectFrom('knowledge_staging')
    .select('lease_owner')
    .distinct()
    .where('lease_owner', 'is not', null)
    .execute()
  for (const { lease_owner: owner } of rows) {
    const [host, pid] = owner?.split('/') ?? []
    if (owner !== null && host === hostname() && !isRunning(Number(pid))) await releaseLeases(storage, owner)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) !== 'ESRCH'
  }
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
    .select((row) =>
      row
        .case()
        .when(row.and([row('lease_until', '>', now), row('lease_until', '<=', now + LEASE_MS)]))
        .then(1)
        .else(0)
        .end()
        .as('leased'),
    )
    .groupBy(['verified', 'leased'])
  if (project !== undefined) query = query.where('project', '=', project)
  const counts = { unverified: 0, elsewhere: 0, waiting: 0 }
  for (const { verified, leased, entries } of await query.execute()) {
    counts[verified === 0 ? 'unverified' : leased === 1 ? 'elsewhere' : 'waiting'] += entries
  }
  return counts
}
