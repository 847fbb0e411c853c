import { checkedLimit } from '../retrieval/relevance.ts'
import type { Filter } from '../search-index/query.ts'
import { isFailedAttempt } from './endings.ts'
import { type FindingType, RECORD_TYPES } from './finding.ts'
import type { Journal } from './journal.ts'
import { type IterationRecord, type Outcome, shownOf } from './record.ts'

export interface SearchOptions {
  limit?: number | undefined
  minScore?: number | undefined
  outcome?: readonly Outcome[] | undefined
  taskId?: number | undefined
  /** ISO 8601. */
  since?: string | undefined
  until?: string | undefined
  /** A project-relative path that the iteration touched, or that the learning speaks of. */
  file?: string | undefined
  signal?: AbortSignal | undefined
}

export function searchFilter(types: readonly FindingType[], options: SearchOptions): Filter {
  const { outcome, taskId, since, until, file } = options
  return {
    record_type: { in: types.map((type) => RECORD_TYPES[type]) },
    ...(outcome && outcome.length > 0 && { outcome: { in: outcome } }),
    ...(taskId !== undefined && { task_id: { in: [taskId] } }),
    ...((since || until) && { timestamp: { ...(since && { from: since }), ...(until && { to: until }) } }),
    ...(file && { files: { in: [file] } }),
  }
}

/** The newest first. */
export function recentIterations(journal: Journal, count: number): Promise<IterationRecord[]> {
  return first(journal.newestFirst(), checkedLimit(count))
}

/** Real failed attempts, the newest first. */
export function failedAttempts(
  journal: Journal,
  { taskId, limit }: { taskId?: number | undefined; limit?: number | undefined },
): Promise<IterationRecord[]> {
  // By their letters: most lines need not be looked into.
  const ofTask = taskId === undefined ? undefined : new RegExp(`"task_id"\\s*:\\s*${taskId}\\b`)
  const mayMatch = (line: string) => NOT_A_SUCCESS.test(line) && (ofTask?.test(line) ?? true)
  const matches = (record: IterationRecord) =>
    isFailedAttempt(record) && (taskId === undefined || record.taskId === taskId)
  return first(journal.newestFirst(mayMatch), checkedLimit(limit), matches)
}

const NOT_A_SUCCESS = /"outcome"\s*:\s*"(?!success)/

async function first(
  records: AsyncIterable<IterationRecord>,
  count: number,
  matches: (record: IterationRecord) => boolean = () => true,
): Promise<IterationRecord[]> {
  const found: IterationRecord[] = []
  for await (const record of records) {
    if (matches(record)) found.push(shownOf(record))
    if (found.length === count) break
  }
  return found
}
