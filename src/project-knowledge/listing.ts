import { expressionBuilder } from 'kysely'
import { RalphError } from '../errors.ts'
import { checkedLimit } from '../retrieval/relevance.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tables } from '../storage/tables.ts'
import { ambiguousId, idOfKind, matchingId, UUID_BEGINNING } from '../text/short-id.ts'
import type { KnowledgeKind } from './entry.ts'
import { problemOf } from './entry-text.ts'
import { filterName } from './fields.ts'
import { PAGE_LIMIT, type Page, type PageRequest, pageOf, placeOf } from './page.ts'
import { expiryLimit } from './retention.ts'
import { entryOf, isoTime, type KnowledgeEntry, type StagedEntry, stagedEntryOf } from './rows.ts'
import { countStaged } from './staging.ts'

export interface EntryListOptions extends PageRequest {
  kind?: KnowledgeKind | undefined
  project?: string | undefined
  agentType?: string | undefined
  taskType?: string | undefined
  technology?: string | undefined
}

const MOST_SIGHTINGS = 1_000
const DAY = 86_400_000

/** Embedded entries, the newest first. */
export async function listEntries(
  storage: Storage,
  options: EntryListOptions,
  now: number,
): Promise<Page<KnowledgeEntry>> {
  let query = storage.db
    .selectFrom('knowledge_entries')
    .selectAll()
    .where('embedded_at', '>=', expiryLimit(now))
  for (const filter of filters(options)) query = query.where(filter)
  const limit = checkedLimit(options.limit ?? PAGE_LIMIT)
  const rows = await query
    .orderBy('captured_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit, { time: capturedAt, entry: entryOf })
}

/** What waits for a checkpoint, the newest first. */
export async function listStaged(storage: Storage, options: EntryListOptions): Promise<Page<StagedEntry>> {
  let query = storage.db.selectFrom('knowledge_staging').selectAll()
  for (const filter of filters(options)) query = query.where(filter)
  const limit = checkedLimit(options.limit ?? PAGE_LIMIT)
  const rows = await query
    .orderBy('captured_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit, { time: capturedAt, entry: stagedEntryOf })
}

/** Where an entry stands in its life, with every project that has seen it. */
export type ShownEntry =
  | { state: 'staged'; entry: StagedEntry }
  | { state: 'embedded'; entry: KnowledgeEntry; sightings: { project: string; seenAt: string }[] }

/** By its id or an unambiguous beginning of it. */
export async function showEntry(storage: Storage, id: string, now: number): Promise<ShownEntry> {
  const full = await fullId(storage, id, now)
  const { db } = storage
  const staged = await db
    .selectFrom('knowledge_staging')
    .selectAll()
    .where('id', '=', full)
    .executeTakeFirst()
  if (staged) return { state: 'staged', entry: stagedEntryOf(staged) }
  const row = await db
    .selectFrom('knowledge_entries')
    .selectAll()
    .where('id', '=', full)
    .executeTakeFirstOrThrow()
  const sightings = await db
    .selectFrom('knowledge_sightings')
    .selectAll()
    .where('entry_id', '=', full)
    .orderBy('seen_at')
    .limit(MOST_SIGHTINGS)
    .execute()
  return {
    state: 'embedded',
    entry: entryOf(row),
    sightings: sightings.map(({ project, seen_at }) => ({ project, seenAt: isoTime(seen_at) })),
  }
}

export async function fullId(storage: Storage, id: string, now: number): Promise<string> {
  const [found, ...others] = await entriesLike(storage, idOfKind('knowledge', id), now)
  if (!found)
    throw new RalphError('not_found', `there is no entry ${JSON.stringify(id)}`, {
      hint: 'ralph knowledge list shows the ids.',
    })
  if (others.length === 0) return found.id
  const alike = [found, ...others].map((one) => ({
    kind: 'knowledge' as const,
    id: one.id,
    line: problemOf(one),
  }))
  throw ambiguousId(id, alike)
}

const MOST_ALIKE = 10

/** Staged or embedded ones whose id begins so. */
export async function entriesLike(
  storage: Storage,
  wanted: string,
  now: number,
): Promise<(KnowledgeEntry | StagedEntry)[]> {
  if (!UUID_BEGINNING.test(wanted)) return []
  const { db } = storage
  const like = `${wanted.toLowerCase()}%`
  const staged = db.selectFrom('knowledge_staging').selectAll().where('id', 'like', like)
  const entries = db.selectFrom('knowledge_entries').selectAll().where('id', 'like', like)
  const live = entries.where('embedded_at', '>=', expiryLimit(now))
  const found = [
    ...(await staged.limit(MOST_ALIKE).execute()).map(stagedEntryOf),
    ...(await live.limit(MOST_ALIKE).execute()).map(entryOf),
  ]
  const each = new Map(found.toReversed().map((entry) => [entry.id, entry]))
  return matchingId([...each.values()], wanted, (entry) => entry.id)
}

export interface Statistics {
  entries: number
  byKind: Record<KnowledgeKind, number>
  successes: number
  projects: number
  /** Outcomes of tasks whose prompt had patterns in it. */
  helped: number
  misled: number
  staged: { unverified: number; elsewhere: number; waiting: number }
  gatesWaiting: number
  /** Reach the end of their year within 30 days. */
  expiringSoon: number
  oldest: string | undefined
  newest: string | undefined
  lastCheckpoint:
    | { trigger: string; startedAt: string; embedded: number; merged: number; problem: string | undefined }
    | undefined
}

export async function statistics(storage: Storage, now: number): Promise<Statistics> {
  const { db } = storage
  const { fn } = db
  const limit = expiryLimit(now)
  const live = db.selectFrom('knowledge_entries').where('embedded_at', '>=', limit)
  const kinds = await live
    .select(['entry_type', fn.countAll<number>().as('entries')])
    .groupBy('entry_type')
    .execute()
  const sums = await live
    .select([
      fn.sum<number | null>('success_count').as('successes'),
      fn.sum<number | null>('helped').as('helped'),
      fn.sum<number | null>('misled').as('misled'),
      fn.min<number | null>('embedded_at').as('oldest'),
      fn.max<number | null>('embedded_at').as('newest'),
      fn.count<number>('project_id').distinct().as('projects'),
    ])
    .executeTakeFirstOrThrow()
  const expiring = await live
    .where('embedded_at', '<', limit + 30 * DAY)
    .select(fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  const gates = await db
    .selectFrom('gates')
    .where('state', '=', 'waiting')
    .select(fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  const byKind: Record<KnowledgeKind, number> = { failure_solution: 0, gate_rejection: 0, gate_approval: 0 }
  for (const { entry_type, entries } of kinds) byKind[entry_type as KnowledgeKind] = entries
  return {
    entries: kinds.reduce((sum, { entries }) => sum + entries, 0),
    byKind,
    successes: sums.successes ?? 0,
    projects: sums.projects,
    helped: sums.helped ?? 0,
    misled: sums.misled ?? 0,
    staged: await countStaged(storage, now),
    gatesWaiting: gates.waiting,
    expiringSoon: expiring.entries,
    oldest: sums.oldest === null ? undefined : isoTime(sums.oldest),
    newest: sums.newest === null ? undefined : isoTime(sums.newest),
    lastCheckpoint: await lastCheckpoint(storage),
  }
}

async function lastCheckpoint(storage: Storage): Promise<Statistics['lastCheckpoint']> {
  const row = await storage.db
    .selectFrom('knowledge_checkpoints')
    .selectAll()
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      trigger: row.trigger_name,
      startedAt: isoTime(row.started_at),
      embedded: row.embedded,
      merged: row.merged,
      problem: row.problem ?? undefined,
    }
  )
}

type Filed = Pick<Tables, 'knowledge_entries' | 'knowledge_staging'>

/** What is asked for, from where the page before ended. */
function filters(options: EntryListOptions) {
  const row = expressionBuilder<Filed, keyof Filed>()
  const { kind, project, agentType, taskType, technology } = options
  const from = placeOf(options.after)
  const anySpelling = [
    ['agent_type', agentType],
    ['task_type', taskType],
    ['technology', technology],
  ] as const
  return [
    ...(kind === undefined ? [] : [row('entry_type', '=', kind)]),
    ...(project === undefined ? [] : [row('project_id', '=', project)]),
    ...anySpelling.flatMap(([column, value]) =>
      value === undefined ? [] : [row(row.fn<string>('lower', [column]), '=', filterName(value))],
    ),
    ...(from ? [row(row.refTuple('captured_at', 'id'), '<', row.tuple(from.time, from.id))] : []),
  ]
}

function capturedAt(row: { captured_at: number }): number {
  return row.captured_at
}
