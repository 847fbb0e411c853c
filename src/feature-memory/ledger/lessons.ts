import { isTelling } from '../../text/error-signature.ts'
import { someOf } from '../../text/some-of.ts'
import { shorten } from '../../text/truncate.ts'
import type { ErrorType, IterationRecord } from '../record.ts'
import type { LedgerEntry, Solution, SolvingWork } from './ledger.ts'

/** What an error and its solution teach somebody who was not there. */
export interface Lesson {
  /** Id of the error in the ledger. */
  error: string
  text: string
  /** The evidence. */
  reason: string
  iteration: number
  /** Only that task met it, and it was about code as it was then. */
  taskId?: number | undefined
  files: string[]
}

/** What a run adds to what is known about errors. */
export interface Taught {
  lessons: Lesson[]
  /** Ids of errors that came back in it, although they had been solved. */
  cameBack: string[]
}

/** At most so many from one run: what matters will come up again. */
const MOST_LESSONS = 2
/** Seen in fewer runs, an error was part of the work. */
const SEVERAL = 2
const MOST_FILES = 3
const LONGEST_MESSAGE = 180
const LONGEST_SUMMARY = 160
/** About the code as it was, rather than about the place it runs in. */
const OF_THE_CODE: readonly (ErrorType | undefined)[] = ['test', 'compile', 'lint']

/**
 * What the latest run taught: errors that it shows to be solved, after several runs or after they had come back, each with
 * what solved it. What the ledger cannot prove, or of which it cannot say whose work it was, is no lesson.
 */
export function taughtBy(record: IterationRecord, entries: readonly LedgerEntry[]): Taught {
  const { iterationNumber } = record
  const lessons = entries
    .filter(({ signature }) => isTelling(signature))
    .flatMap((entry) => {
      const solution = entry.solutions.at(-1)
      if (entry.life !== 'solved' || solution?.iteration !== iterationNumber || !solution.by) return []
      const before = entry.solutions.at(-2)
      return entry.times >= SEVERAL || before
        ? [{ entry, lesson: lessonOf(entry, solution, solution.by, before) }]
        : []
    })
    .sort((a, b) => b.entry.times - a.entry.times)
  const cameBack = entries.filter(({ solutions }) =>
    solutions.some(({ cameBackIn }) => cameBackIn === iterationNumber),
  )
  return {
    lessons: lessons.slice(0, MOST_LESSONS).map(({ lesson }) => lesson),
    cameBack: cameBack.map(({ id }) => id),
  }
}

function lessonOf(
  { id, message, type, filePath, sightings, times }: LedgerEntry,
  { iteration, check }: Solution,
  by: SolvingWork,
  before: Solution | undefined,
): Lesson {
  const words = firstLine(message)
  const place = filePath && !words.includes(filePath) ? ` (${filePath})` : ''
  const course = before?.cameBackIn
    ? `came back in iteration ${before.cameBackIn}${before.by ? `, after a change of ${someOf(before.by.files, MOST_FILES)} had held since iteration ${before.iteration}` : ''}`
    : `took ${times} iterations`
  const tasks = new Set([...sightings, by].map(({ taskId }) => taskId))
  const [task] = tasks
  const ofOneTask = tasks.size === 1 && task! > 0 && !before && OF_THE_CODE.includes(type)
  return {
    error: id,
    text: `${shorten(words, LONGEST_MESSAGE)}${place}: reported by \`${shorten(check, 60)}\`, ${course}. ${whatSolved(by)}`,
    reason: `met in iteration ${sightings.map((run) => run.iteration).join(', ')}; \`${shorten(check, 60)}\` came out without it in iteration ${iteration}`,
    iteration,
    ...(ofOneTask && { taskId: task }),
    files: by.files,
  }
}

/** In the words of the run, and the files that they do not name. */
function whatSolved({ iteration, summary, files }: SolvingWork): string {
  if (summary === '')
    return `What solved it: a change of ${someOf(files, MOST_FILES)} in iteration ${iteration}`
  const words = shorten(firstLine(summary), LONGEST_SUMMARY)
  const unnamed = files.filter((file) => !words.includes(file))
  const changed = unnamed.length > 0 ? ` (changed ${someOf(unnamed, MOST_FILES)})` : ''
  return `What solved it in iteration ${iteration}: ${words}${changed}`
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!.trim()
}
