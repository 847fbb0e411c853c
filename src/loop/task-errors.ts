import type { Task } from '../board/task.ts'
import type { ErrorLedger } from '../feature-memory/ledger/error-ledger.ts'
import type { LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import { errorSignature } from '../text/normalise.ts'
import { changedFiles } from './hand-over.ts'

/** The errors of a feature that the prompt of one of its tasks speaks of. */
export interface TaskErrors {
  /** Met on this task: those still there first. */
  own: LedgerEntry[]
  /** Met on other tasks, and connected to this one by files or words. */
  related: LedgerEntry[]
}

const PATH = /[\w@.-]+(?:\/[\w@.-]+)*\.[A-Za-z]\w{0,7}\b/g
const RANKS: Record<LedgerEntry['life'], number> = { came_back: 1, open: 1, solved: 2, not_seen_since: 3 }

export interface PastRuns {
  /** On the task. */
  attempts: readonly IterationRecord[]
  /** Those of them that the prompt speaks of. */
  told: readonly IterationRecord[]
  /** The feature's latest. */
  recent: readonly IterationRecord[]
}

export function errorsFor(task: Task, ledger: ErrorLedger, { attempts, told, recent }: PastRuns): TaskErrors {
  const met = new Set(told.flatMap(({ errors }) => errors.map(({ message }) => errorSignature(message))))
  const isOwn = ({ sightings }: LedgerEntry) => sightings.some(({ taskId }) => taskId === task.id)
  const entries = ledger.entries()
  const own = entries.filter(
    (entry) => isOwn(entry) && (isThere(entry) || tookSeveralRuns(entry) || met.has(entry.signature)),
  )
  const topic = topicOf(task, attempts)
  const connected = new Set(ledger.related(topic).map(({ id }) => id))
  const related = entries
    .filter((entry) => !isOwn(entry) && (isThere(entry) || isExplained(entry)))
    .filter((entry) => connected.has(entry.id) || (isThere(entry) && sharesFile(entry, topic.files, recent)))
  return { own: inOrder(own), related: inOrder(related) }
}

/** The run that met it last was at work on a file of this task. */
function sharesFile(
  { sightings }: LedgerEntry,
  files: readonly string[],
  recent: readonly IterationRecord[],
): boolean {
  const run = recent.find(({ iterationNumber }) => iterationNumber === sightings.at(-1)?.iteration)
  return run !== undefined && changedFiles(run).some(({ path }) => files.includes(path))
}

export function isThere({ life }: LedgerEntry): boolean {
  return life === 'open' || life === 'came_back'
}

/** It is known what made it go away. */
function isExplained({ life, solutions }: LedgerEntry): boolean {
  return life === 'solved' && solutions.at(-1)?.by !== undefined
}

function tookSeveralRuns(entry: LedgerEntry): boolean {
  return isExplained(entry) && entry.solutions.at(-1)!.iteration !== entry.sightings[0]?.iteration
}

/** Those that are there first, then the most lately met. */
export function inOrder(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const lastSeen = ({ sightings }: LedgerEntry) => sightings.at(-1)?.iteration ?? 0
  return [...entries].sort((a, b) => RANKS[a.life] - RANKS[b.life] || lastSeen(b) - lastSeen(a))
}

/** What a task is about: its own words, and the files it names or its runs have changed. */
function topicOf(
  { title, description = '', acceptanceCriteria, comments }: Task,
  attempts: readonly IterationRecord[],
): { files: string[]; text: string } {
  const text = [title, description, ...acceptanceCriteria, ...comments.map((comment) => comment.text)].join(
    '\n',
  )
  const named = [...text.matchAll(PATH)].map(([path]) => path)
  const changed = attempts.flatMap((record) => changedFiles(record).map(({ path }) => path))
  return { files: [...new Set([...named, ...changed])], text }
}
