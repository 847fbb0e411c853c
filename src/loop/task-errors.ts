import type { Task } from '../board/task.ts'
import type { ErrorLedger } from '../feature-memory/ledger/error-ledger.ts'
import { isOpen, type LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import type { CheckKind } from '../shell/kinds.ts'
import { errorSignature } from '../text/error-signature.ts'
import { changedFiles } from './hand-over.ts'

/** The errors of a feature that the prompt of one of its tasks speaks of. */
export interface TaskErrors {
  /** Met on this task, and still there. */
  open: LedgerEntry[]
  /** Gone, with what made them go away; or still there on other tasks, and connected to this one by files or words. */
  nearby: LedgerEntry[]
}

const PATH = /(?<![\w@./-])(?:[\w@.-]{1,80}\/){0,12}[\w@.-]{1,80}\.[A-Za-z]\w{0,7}\b/g
/** A command that went wrong and reported no error by name. */
const SLIP = /^(?!.*(?:Error|Exception)\b).*failed with exit code \d+/s

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
  const topic = topicOf(task, attempts)
  const connected = new Set(ledger.related(topic).map(({ id }) => id))
  const entries = inOrder(ledger.entries().filter((entry) => !isSlip(entry)))
  const open = once(entries.filter((entry) => isOwn(entry) && isOpen(entry)))
  const nearby = entries.filter((entry) => {
    if (isOwn(entry)) return isGoneFromHere(entry, met)
    if (!isOpen(entry) && !isExplained(entry)) return false
    return connected.has(entry.id) || (isOpen(entry) && sharesFile(entry, topic.files, recent))
  })
  return { open, nearby: once(nearby, open).filter((entry) => !isOvertaken(entry, open)) }
}

/** Once, and by a command that is no check: more often than not it was mistyped. */
function isSlip({ message, times, check }: LedgerEntry): boolean {
  return times === 1 && (check === undefined || check.kind === 'command') && SLIP.test(message)
}

/** Two tools often report one error, each in its own frame: the first report of it stays. */
function once(entries: readonly LedgerEntry[], told: readonly LedgerEntry[] = []): LedgerEntry[] {
  const kept: LedgerEntry[] = []
  for (const entry of entries) {
    if (![...told, ...kept].some((other) => isSameError(entry, other))) kept.push(entry)
  }
  return kept
}

/** The same test or line goes wrong in another way now: that it is no longer reported as before says nothing. */
function isOvertaken(entry: LedgerEntry, open: readonly LedgerEntry[]): boolean {
  if (isOpen(entry) || entry.line === undefined) return false
  return open.some(({ filePath, line }) => filePath === entry.filePath && line === entry.line)
}

/** Or one place, where both are gone: then it was one thing that went wrong in two ways. */
function isSameError(a: LedgerEntry, b: LedgerEntry): boolean {
  if (a.filePath !== b.filePath) return false
  const samePlace = a.line !== undefined && a.line === b.line
  return coreOf(a.message) === coreOf(b.message) || (samePlace && !isOpen(a) && !isOpen(b))
}

/** From the name of the error on: what stands before it is the test, the file or the tool. */
function coreOf(message: string): string {
  const line = message.split('\n', 1)[0]!
  const start = line.search(/\b[A-Z]\w*(?:Error|Exception)\b/)
  return errorSignature(start === -1 ? line : line.slice(start))
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

/** It is known what made it go away. */
function isExplained({ life, solutions }: LedgerEntry): boolean {
  return life === 'solved' && solutions.at(-1)?.by !== undefined
}

/** What a run met and overcame itself is nobody's trouble any more; of what nothing proves, only what is spoken of. */
function isGoneFromHere(
  { life, signature, sightings, solutions }: LedgerEntry,
  met: ReadonlySet<string>,
): boolean {
  if (life === 'not_seen_since') return met.has(signature)
  return life === 'solved' && solutions.at(-1)?.iteration !== sightings[0]?.iteration
}

/** The runs whose changes made an error go away: they were not in vain, whatever their task's status says. */
export function solversOf(ledger: ErrorLedger): Set<number> {
  const solutions = ledger.entries().flatMap((entry) => entry.solutions)
  return new Set(solutions.flatMap(({ by }) => (by ? [by.iteration] : [])))
}

/** The most telling first: what a command says that is no check may be a matter of the moment. */
const KINDS: readonly CheckKind[] = ['test', 'build', 'typecheck', 'lint', 'command']

/** Those that are there first; then by the kind of check that reports them, the most often met, the most lately met. */
export function inOrder(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const rank = ({ check }: LedgerEntry) => KINDS.indexOf(check?.kind ?? 'command')
  const lastSeen = ({ sightings }: LedgerEntry) => sightings.at(-1)?.iteration ?? 0
  return [...entries].sort(
    (a, b) =>
      Number(isOpen(b)) - Number(isOpen(a)) ||
      rank(a) - rank(b) ||
      b.times - a.times ||
      lastSeen(b) - lastSeen(a),
  )
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
