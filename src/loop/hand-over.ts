import type { Task } from '../board/task.ts'
import { ranToItsEnd } from '../feature-memory/endings.ts'
import type { IterationRecord, TouchedFile } from '../feature-memory/record.ts'
import { ownWords } from '../telling/own-words.ts'

/** Where a task stands: what its last run did, and what has happened to that since. */
export interface HandOver {
  /** The last run that did something; of runs that all did nothing, the last. */
  run: IterationRecord
  /** Runs after it that came to nothing, the newest first. */
  idle: IterationRecord[]
  changed: TouchedFile[]
  /** Files it was about to change when it was ended. */
  begun: string[]
  /** What the run said it did, without what it left to do. */
  said: string
  left: string
  /** The run called the task done, and somebody opened it again. */
  reopened: boolean
  /** The review that came after it, when it was opened again. */
  review?: IterationRecord | undefined
  /** The latest words on the task: the run's own, a reviewer's or a person's. */
  comment?: Task['comments'][number] | undefined
  /** Later runs, on other tasks too, that changed the same files; the newest first. */
  since: { run: IterationRecord; paths: string[] }[]
}

/** The loop's own book-keeping is no work. */
const BOARD = /^\.ralph\//
const MOST_SINCE = 3

/** Undefined for a task that nobody has worked on. Records come newest first. */
export function handOver(
  task: Task,
  attempts: readonly IterationRecord[],
  recent: readonly IterationRecord[],
): HandOver | undefined {
  const at = attempts.findIndex((record) => !isIdle(record))
  const run = attempts[Math.max(0, at)]
  if (!run) return undefined
  const idle = attempts.slice(0, Math.max(0, at))
  const changed = changedFiles(run)
  const after = recent.filter(({ iterationNumber }) => iterationNumber > run.iterationNumber)
  const reopened = run.ending.kind === 'done' && task.status !== 'done' && task.status !== 'skipped'
  return {
    run,
    idle,
    changed,
    begun: begunFiles(run),
    ...ownWords(run),
    reopened,
    review: reopened ? after.find(({ kind }) => kind === 'review') : undefined,
    comment: task.comments.at(-1),
    since: changedSince(changed, after),
  }
}

export function changedFiles({ filesTouched }: IterationRecord): TouchedFile[] {
  return filesTouched.filter(({ path, action }) => action !== 'read' && !BOARD.test(path))
}

/** Ended from outside or by the service before it had changed anything: nothing of it is left to hand over. */
function isIdle(record: IterationRecord): boolean {
  return !ranToItsEnd(record) && changedFiles(record).length === 0 && begunFiles(record).length === 0
}

function begunFiles({ ending }: IterationRecord): string[] {
  return (ending.begun ?? []).filter((path) => !BOARD.test(path))
}

function changedSince(changed: readonly TouchedFile[], after: readonly IterationRecord[]): HandOver['since'] {
  const mine = new Set(changed.map(({ path }) => path))
  return after
    .map((run) => ({
      run,
      paths: changedFiles(run)
        .map(({ path }) => path)
        .filter((path) => mine.has(path)),
    }))
    .filter(({ paths }) => paths.length > 0)
    .slice(0, MOST_SINCE)
}
