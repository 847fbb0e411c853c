import { randomUUID } from 'node:crypto'
import type { Embedder, EmbedderSource } from '../embedding/embedder.ts'
import { isRalphError, type RalphError, throwIfAborted } from '../errors.ts'
import { catchUp } from '../retrieval/catch-up.ts'
import type { Collection } from '../retrieval/collection.ts'
import type { Draft, Embedded } from '../retrieval/draft.ts'
import type { Leases } from '../storage/leases.ts'
import type { Storage } from '../storage/storage.ts'
import type { StagingRow } from '../storage/tables.ts'
import { commitBatch } from './commit.ts'
import { entriesSource, entryDraft } from './entries-source.ts'
import { claimStaged, countStaged } from './staging.ts'
import { findTwins } from './twins.ts'

export const TRIGGERS = [
  'loop_start',
  'feature_complete',
  'project_complete',
  'cancellation',
  'manual',
] as const
export type Trigger = (typeof TRIGGERS)[number]

export interface CheckpointOptions {
  /** Only what this project staged; default: everything. */
  project?: string | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: CheckpointProgress) => void) | undefined
}

export interface CheckpointProgress {
  /** `levelling`: entries that were embedded before are embedded again, e.g. for another model. */
  phase: 'levelling' | 'embedding'
  done: number
  total: number
}

export interface CheckpointResult {
  trigger: Trigger
  /** Entries that can be found now and could not before. */
  embedded: number
  /** Entries that said what another one says: its success count rose. */
  merged: number
  /** Entries that had to be embedded again, because the index was lost or the model changed. */
  reembedded: number
  /** Still staged: solutions that wait for verification, entries another checkpoint is working on, the rest. */
  staged: { unverified: number; elsewhere: number; waiting: number }
  /** Why it did not get to the end; what is left is done by the next checkpoint. */
  stopped?: RalphError
}

export interface CheckpointParts {
  storage: Storage
  collection: Collection
  embedder: EmbedderSource
  clock: () => number
  /** Of this caller, who never runs two checkpoints at once. */
  leases: Leases
}

const BATCH = 100

/** Embeds what is staged, batch by batch: each becomes visible as a whole or stays staged as a whole. */
export async function runCheckpoint(
  parts: CheckpointParts,
  trigger: Trigger,
  options: CheckpointOptions = {},
): Promise<CheckpointResult> {
  const { storage, clock, leases } = parts
  const id = randomUUID()
  const totals = { embedded: 0, merged: 0, reembedded: 0 }
  await noteStart(storage, id, trigger, options.project, clock())
  let stopped: RalphError | undefined
  try {
    // What an earlier run could not give back, because the database went away under it, and what the killed have.
    await leases.release()
    await leases.releaseDead()
    const embedder = await parts.embedder()
    const level = await catchUp(parts.collection, [entriesSource(storage)], {
      embedder,
      signal: options.signal,
      onProgress: ({ indexed, total = indexed }) =>
        options.onProgress?.({ phase: 'levelling', done: indexed, total }),
    })
    totals.reembedded = level.embedded
    await leases.holding(() => embedStaged(parts, { embedder, options, totals }))
  } catch (error) {
    if (!isRalphError(error)) throw error
    stopped = error
  } finally {
    await leases.release()
    await noteEnd(storage, id, { ...totals, stopped }, clock())
  }
  const staged = await countStaged(storage, clock(), options.project)
  return { trigger, ...totals, staged, ...(stopped && { stopped }) }
}

interface Run {
  embedder: Embedder
  options: CheckpointOptions
  totals: { embedded: number; merged: number }
}

/** While one batch is stored, the next one is already being embedded. */
async function embedStaged(parts: CheckpointParts, run: Run): Promise<void> {
  const { signal, project, onProgress } = run.options
  const { waiting: total } = await countStaged(parts.storage, parts.clock(), project)
  let done = 0
  let settling: Promise<void> = Promise.resolve()
  try {
    for (;;) {
      throwIfAborted(signal)
      const rows = await claimStaged(parts.storage, parts.leases, { project, limit: BATCH })
      if (rows.length === 0) break
      const twins = await findTwins(parts.storage, rows)
      const fresh = rows.filter((row) => !twins.has(row.id))
      const drafts = fresh.map(entryDraft)
      const embedded = await parts.collection.embedded(drafts, run.embedder, signal)
      await settling
      settling = settle(parts, run, { rows, drafts, embedded, twins }).then(() => {
        done += rows.length
        onProgress?.({ phase: 'embedding', done, total: Math.max(total, done) })
      })
      // Awaited in the next round; until then its failure must not count as unheard.
      settling.catch(() => undefined)
    }
    await settling
  } finally {
    await settling.catch(() => undefined)
  }
}

interface Batch {
  rows: readonly StagingRow[]
  /** Those without a twin, and what was made of them. */
  drafts: readonly Draft[]
  embedded: readonly Embedded[]
  /** Staged id → id of the entry that says the same, or of an earlier one in the batch. */
  twins: ReadonlyMap<string, string>
}

/** First the documents, then the rows: an entry counts from the moment its row is there, and then it can be found. */
async function settle(
  parts: CheckpointParts,
  run: Run,
  { rows, drafts, embedded, twins }: Batch,
): Promise<void> {
  await parts.collection.write({ put: drafts, embedded }, run.embedder)
  const committed = await commitBatch(parts.storage, {
    leases: parts.leases,
    rows,
    twins,
    now: parts.clock(),
  })
  run.totals.embedded += committed.added.length
  run.totals.merged += committed.merged
  // What another checkpoint has added meanwhile is there once, under its own id.
  const added = new Set(committed.added)
  const surplus = drafts.map(({ id }) => id).filter((id) => !added.has(id) && !committed.left.has(id))
  await parts.collection.remove(surplus)
}

async function noteStart(
  storage: Storage,
  id: string,
  trigger: Trigger,
  project: string | undefined,
  now: number,
): Promise<void> {
  await storage.db
    .insertInto('knowledge_checkpoints')
    .values({
      id,
      trigger_name: trigger,
      project: project ?? null,
      started_at: now,
      finished_at: null,
      embedded: 0,
      merged: 0,
      problem: null,
    })
    .execute()
}

async function noteEnd(
  storage: Storage,
  id: string,
  result: { embedded: number; merged: number; stopped: RalphError | undefined },
  now: number,
): Promise<void> {
  const { embedded, merged, stopped } = result
  await storage.db
    .updateTable('knowledge_checkpoints')
    .set({ finished_at: now, embedded, merged, problem: stopped?.message ?? null })
    .where('id', '=', id)
    .execute()
}
