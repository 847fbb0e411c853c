import { FREE, type Leases } from '../storage/leases.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import type { EntryRow, StagingRow } from '../storage/tables.ts'
import { sourceKey, sourceOf, sourcesOf } from './sources.ts'

export interface BatchToCommit {
  leases: Leases
  rows: readonly StagingRow[]
  /** Staged id → id of the entry, or of another row of the batch, that says the same. */
  twins: ReadonlyMap<string, string>
  now: number
}

export interface CommittedBatch {
  added: string[]
  merged: number
  /** Ids that stay staged: the entry they were to be merged into has gone meanwhile. */
  left: ReadonlySet<string>
}

/** Turns staged rows into entries and successes of their twins, in one transaction. */
export function commitBatch(storage: Storage, batch: BatchToCommit): Promise<CommittedBatch> {
  return storage.transaction(async (db) => {
    const mine = await takeStaged(db, batch)
    const fresh = mine.filter((row) => !batch.twins.has(row.id))
    const added = new Set(await addEntries(db, fresh, batch.now))
    // Another checkpoint may have added the same entry a moment ago.
    const overtaken = await twinsByKey(
      db,
      fresh.filter((row) => !added.has(row.id)),
    )
    const targetOf = (id: string): string => {
      const target = overtaken.get(id) ?? batch.twins.get(id)
      return target === undefined ? id : targetOf(target)
    }
    const targets = await existing(db, [...new Set(mine.map((row) => targetOf(row.id)))])
    const left = mine.filter((row) => !targets.has(targetOf(row.id)))
    const kept = mine.filter((row) => targets.has(targetOf(row.id)))
    const merged = kept.filter((row) => !added.has(row.id))
    await raiseSuccesses(db, await successesOf(db, kept, added, targetOf))
    await noteSightings(db, kept, targetOf)
    await putBack(db, left)
    return { added: [...added], merged: merged.length, left: new Set(left.map((row) => row.id)) }
  })
}

/** Only what this run still holds: a row whose lease was lost, or that was changed meanwhile, is somebody else's. */
async function takeStaged(db: StorageTransaction, { leases, rows }: BatchToCommit): Promise<StagingRow[]> {
  return db
    .deleteFrom('knowledge_staging')
    .where(leases.isMine())
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .returningAll()
    .execute()
}

async function addEntries(
  db: StorageTransaction,
  rows: readonly StagingRow[],
  now: number,
): Promise<string[]> {
  if (rows.length === 0) return []
  const entries = rows.map(
    ({ verified: _, task: __, person: ___, lease_owner: ____, lease_until: _____, ...row }): EntryRow => ({
      ...row,
      helped: 0,
      misled: 0,
      embedded_at: now,
      outdated: 0,
    }),
  )
  const added = await db
    .insertInto('knowledge_entries')
    .values(entries)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return added.map((row) => row.id)
}

async function twinsByKey(db: StorageTransaction, rows: readonly StagingRow[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const keys = rows.map((row) => row.twin_key)
  const found = await db
    .selectFrom('knowledge_entries')
    .select(['id', 'twin_key'])
    .where('twin_key', 'in', keys)
    .execute()
  const byKey = new Map(found.map((row) => [row.twin_key, row.id]))
  return new Map(
    rows.flatMap((row) => {
      const twin = byKey.get(row.twin_key)
      return twin === undefined || twin === row.id ? [] : [[row.id, twin] as const]
    }),
  )
}

async function existing(db: StorageTransaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('knowledge_entries').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map((row) => row.id))
}

/** What the merged rows add to the successes of their targets: another task or person does, a repetition does not. */
async function successesOf(
  db: StorageTransaction,
  kept: readonly StagingRow[],
  added: ReadonlySet<string>,
  targetOf: (id: string) => string,
): Promise<Map<string, number>> {
  const known = new Map<string, Set<string>>()
  const earlier = await sourcesOf(db, [...new Set(kept.map((row) => targetOf(row.id)))])
  for (const [id, sources] of earlier) known.set(id, new Set(sources.map(sourceKey)))
  const successes = new Map<string, number>()
  for (const row of kept.toSorted((a, b) => Number(added.has(b.id)) - Number(added.has(a.id)))) {
    const target = targetOf(row.id)
    const sources = known.get(target) ?? new Set()
    // What an imported row brings beyond its own success are those of others.
    const source = sourceKey(sourceOf(row))
    const more = sources.has(source) ? row.success_count - 1 : row.success_count
    known.set(target, sources.add(source))
    if (!added.has(row.id)) successes.set(target, (successes.get(target) ?? 0) + more)
  }
  return successes
}

async function raiseSuccesses(db: StorageTransaction, successes: ReadonlyMap<string, number>): Promise<void> {
  // Always in the same order, so that two checkpoints never wait for each other.
  for (const id of [...successes.keys()].sort()) {
    await db
      .updateTable('knowledge_entries')
      .set((entry) => ({ success_count: entry('success_count', '+', successes.get(id)!) }))
      .where('id', '=', id)
      .execute()
  }
}

async function noteSightings(
  db: StorageTransaction,
  rows: readonly StagingRow[],
  targetOf: (id: string) => string,
): Promise<void> {
  if (rows.length === 0) return
  const sightings = rows.map((row) => ({
    id: row.id,
    entry_id: targetOf(row.id),
    project: row.project,
    project_id: row.project_id,
    task: row.task,
    person: row.person,
    seen_at: row.captured_at,
  }))
  await db
    .insertInto('knowledge_sightings')
    .values(sightings)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

async function putBack(db: StorageTransaction, rows: readonly StagingRow[]): Promise<void> {
  if (rows.length === 0) return
  const free = rows.map((row) => ({ ...row, ...FREE }))
  await db.insertInto('knowledge_staging').values(free).execute()
}
