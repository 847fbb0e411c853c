import { RalphError } from '../errors.ts'
import type { Filter } from '../search-index/search-index.ts'
import { plural } from '../text/plural.ts'
import { isFailedAttempt } from './failed-attempt.ts'
import type { Journal } from './journal.ts'
import type { FileAction, IterationRecord, Outcome } from './record.ts'

export type Relevance = 'relevant' | 'possibly relevant'

/** On the product's score scale, which every embedder is calibrated to. */
const RELEVANT_FROM = 0.55
export const DEFAULT_MIN_SCORE = 0.4
export const DEFAULT_LIMIT = 20
const MAX_LIMIT = 1_000

export function relevanceOf(score: number): Relevance {
  return score >= RELEVANT_FROM ? 'relevant' : 'possibly relevant'
}

export interface SearchOptions {
  limit?: number | undefined
  minScore?: number | undefined
  outcome?: readonly Outcome[] | undefined
  taskId?: number | undefined
  /** ISO 8601. */
  since?: string | undefined
  until?: string | undefined
  /** A project-relative path that the iteration touched. */
  file?: string | undefined
  signal?: AbortSignal | undefined
}

export function searchFilter(options: SearchOptions): Filter {
  const { outcome, taskId, since, until, file } = options
  return {
    record_type: { in: ['iteration'] },
    ...(outcome && outcome.length > 0 && { outcome: { in: outcome } }),
    ...(taskId !== undefined && { task_id: { in: [taskId] } }),
    ...((since || until) && { timestamp: { ...(since && { from: since }), ...(until && { to: until }) } }),
    ...(file && { files: { in: [file] } }),
  }
}

export function checkedQuery(query: string): string {
  const text = query.trim()
  if (text !== '') return text
  throw new RalphError('invalid_input', 'the search text is empty', {
    hint: 'Say what you look for in words, e.g. "why did the login form break"',
  })
}

export function checkedLimit(limit: number = DEFAULT_LIMIT): number {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RalphError('invalid_input', `the limit must be a whole number from 1, not ${limit}`)
  }
  return Math.min(limit, MAX_LIMIT)
}

export function checkedMinScore(minScore: number = DEFAULT_MIN_SCORE): number {
  if (minScore >= 0 && minScore <= 1) return minScore
  throw new RalphError('invalid_input', `the minimum score must lie between 0 and 1, not ${minScore}`)
}

/** "from iteration 7, 3 iterations ago" */
export function ageOf(record: IterationRecord, latest: number): string {
  const ago = Math.max(0, latest - record.iterationNumber)
  const distance = ago === 0 ? 'the latest' : `${plural(ago, 'iteration')} ago`
  return `from iteration ${record.iterationNumber}, ${distance}`
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
