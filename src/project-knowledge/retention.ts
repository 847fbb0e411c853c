import type { Collection } from '../retrieval/collection.ts'
import type { Storage } from '../storage/storage.ts'
import { readValue, writeValue } from '../storage/stored-values.ts'
import { z } from '../text/schema.ts'

const DAY = 86_400_000
/** From embedding; then an entry is deleted, without an archive. */
const KEPT_MS = 365 * DAY
const PAGE = 1_000
/** A clock that seems to have moved further than this between two looks may be wrong. */
const LEAP = 30 * DAY
const SETTING = 'knowledge.retention'

const State = z.object({ prunedAt: z.number(), seenAt: z.number(), notBefore: z.number() })
type State = z.infer<typeof State>

/** Entries embedded before this time are past their year. */
export function expiryLimit(now: number): number {
  return now - KEPT_MS
}

export interface RetentionParts {
  storage: Storage
  collection: Collection
  clock: () => number
}

/** Deletes what is past its year, page by page, without reading what the entries say. Returns how many. */
export async function pruneEntries(
  { storage, collection, clock }: RetentionParts,
  signal?: AbortSignal,
): Promise<number> {
  const limit = expiryLimit(clock())
  for (let pruned = 0; ; ) {
    signal?.throwIfAborted()
    const rows = await storage.db
      .deleteFrom('knowledge_entries')
      .where('id', 'in', (entries) =>
        entries
          .selectFrom('knowledge_entries')
          .select('id')
          .where('embedded_at', '<', limit)
          .orderBy('embedded_at')
          .limit(PAGE),
      )
      .returning('id')
      .execute()
    if (rows.length === 0) return pruned
    await collection.remove(rows.map((row) => row.id))
    pruned += rows.length
  }
}

/**
 * Prunes at most once a day, and only by a clock that can be trusted: after a leap of a month or more (a wrong clock,
 * or a machine that slept that long) it waits for a day in which the clock runs as it should. Nothing is lost by
 * waiting: what is past its year is not shown meanwhile.
 */
export async function pruneDaily(parts: RetentionParts, signal?: AbortSignal): Promise<number> {
  const now = parts.clock()
  const { db } = parts.storage
  const next = nextState(State.safeParse(await readValue(db, SETTING)).data, now)
  if (next === undefined) return 0
  await writeValue(db, SETTING, next, now)
  return next.prunedAt === now ? pruneEntries(parts, signal) : 0
}

/** What to remember, or undefined when nothing has changed that matters. Exported for its many cases. */
export function nextState(state: State | undefined, now: number): State | undefined {
  if (!state) return { prunedAt: now, seenAt: now, notBefore: 0 }
  const moved = now - state.seenAt
  if (moved > LEAP || moved < -DAY)
    return { prunedAt: Math.min(state.prunedAt, now), seenAt: now, notBefore: now + DAY }
  const due = now - state.prunedAt >= DAY && now >= state.notBefore
  if (due) return { prunedAt: now, seenAt: now, notBefore: 0 }
  return moved >= DAY / 4 ? { ...state, seenAt: now } : undefined
}
