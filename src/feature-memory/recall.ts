import { checkedLimit } from '../retrieval/relevance.ts'
import type { Filter } from '../search-index/search-index.ts'
import { isFailedAttempt } from './failed-attempt.ts'
import { type FindingType, RECORD_TYPES } from './finding.ts'
import type { Journal } from './journal.ts'
import type { FileAction, IterationRecord, Outcome } from './record.ts'

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
export async function recentIterations(journal: Journal, count: number): Promise<IterationRecord[]> {
  const wanted = checkedLimit(count)
  const newest: IterationRecord[] = []
  for await (const record of journal.records()) {
    newest.push(record)
    if (newest.length > wanted) newest.shift()
  }
  return newest.reverse()
}

export interface FileHistory {
  path: string
  /** In how many iterations it was touched. */
  touches: number
  lastAction: FileAction
  lastIteration: number
}

/** Every file the feature's iterations touched, the most touched first. */
export async function fileHistory(journal: Journal): Promise<FileHistory[]> {
  const files = new Map<string, FileHistory>()
  for await (const record of journal.records()) {
    for (const { path, action } of record.filesTouched) {
      const touches = (files.get(path)?.touches ?? 0) + 1
      files.set(path, { path, touches, lastAction: action, lastIteration: record.iterationNumber })
    }
  }
  return [...files.values()].sort(
    (a, b) => b.touches - a.touches || b.lastIteration - a.lastIteration || compare(a.path, b.path),
  )
}

/** The newest first. */
export async function failedAttempts(journal: Journal, taskId?: number): Promise<IterationRecord[]> {
  const failed: IterationRecord[] = []
  for await (const record of journal.records()) {
    if (isFailedAttempt(record) && (taskId === undefined || record.taskId === taskId)) failed.push(record)
  }
  return failed.reverse()
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
