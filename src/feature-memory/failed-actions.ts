import { errorSignature } from '../text/normalise.ts'
import { commandKey } from './command-key.ts'
import type { ErrorType, IterationRecord, RecordedError } from './record.ts'

/** What somebody about to do the same should know. */
export interface FailedAction {
  iteration: number
  timestamp: string
  task: string
  error: string
  /** In how many iterations. */
  times: number
}

export interface SeenError {
  iterations: number[]
  message: string
  /** The first later iteration of the same task that succeeded. */
  solved?: { iteration: number; summary: string; decisions: string[] }
}

/** The failures of one feature, by what one would do to run into them again. */
export interface FailedActions {
  /** By `commandKey`. */
  commands: Record<string, FailedAction>
  /** By project-relative path. */
  files: Record<string, FailedAction>
  /** By `errorSignature`. */
  errors: Record<string, SeenError>
}

/** Depend on the code as it was: once the task is done they say nothing about the next run. */
const OF_THE_CODE: readonly (ErrorType | undefined)[] = ['test', 'compile', 'lint']
/** An agent's slip with its tools is no news about the project. */
const SLIPS: readonly (ErrorType | undefined)[] = ['logic']
/** What happened longer ago has most likely changed. */
const RECENT_ITERATIONS = 40
/** The task of a session that belongs to none. */
const NO_TASK = 0
const LOOKED_THROUGH = 20

/** Pure: from the feature's records, oldest first. */
export function failedActions(records: readonly IterationRecord[], project?: string): FailedActions {
  const latest = records.at(-1)?.iterationNumber ?? 0
  const solutions = solutionsOf(records)
  const found: FailedActions = { commands: {}, files: {}, errors: {} }
  for (const [at, record] of records.entries()) {
    const solution = solutions[at]
    for (const error of record.errors) {
      noteError(found.errors, error, record, solution)
      if (record.iterationNumber <= latest - RECENT_ITERATIONS || SLIPS.includes(error.type)) continue
      const settled = solution !== undefined && OF_THE_CODE.includes(error.type)
      const key = error.command === undefined ? '' : commandKey(error.command, project)
      if (key !== '' && !settled) note(found.commands, key, error, record)
      if (error.filePath !== undefined && solution === undefined)
        note(found.files, error.filePath, error, record)
    }
  }
  return found
}

/** For each record: itself, if it got over its errors, or the next one of the same task that did. */
function solutionsOf(records: readonly IterationRecord[]): (IterationRecord | undefined)[] {
  const successes = new Map<number, IterationRecord[]>()
  return records
    .toReversed()
    .map((record) => {
      const known = successes.get(record.taskId) ?? []
      if (record.outcome === 'success')
        successes.set(record.taskId, [record, ...known.slice(0, LOOKED_THROUGH)])
      return (successes.get(record.taskId) ?? []).find((success) => isSameWork(record, success))
    })
    .reverse()
}

/** Sessions that nobody started for a task have none in common: there the files tell. */
function isSameWork(record: IterationRecord, success: IterationRecord): boolean {
  if (record.taskId !== NO_TASK || record === success) return true
  const changed = new Set(changedFiles(record))
  return changedFiles(success).some((path) => changed.has(path))
}

function changedFiles({ filesTouched }: IterationRecord): string[] {
  return filesTouched.filter(({ action }) => action !== 'read').map(({ path }) => path)
}

function note(
  actions: Record<string, FailedAction>,
  key: string,
  error: RecordedError,
  record: IterationRecord,
): void {
  const before = Object.hasOwn(actions, key) ? actions[key] : undefined
  const again = before !== undefined && before.iteration !== record.iterationNumber
  actions[key] = {
    iteration: record.iterationNumber,
    timestamp: record.timestamp,
    task: record.taskTitle,
    // The first error of a run is mostly the cause, the others its consequences.
    error: before && !again ? before.error : error.message,
    times: (before?.times ?? 1) + (again ? 1 : 0),
  }
}

function noteError(
  errors: Record<string, SeenError>,
  error: RecordedError,
  record: IterationRecord,
  solution: IterationRecord | undefined,
): void {
  const key = errorSignature(error.message)
  if (key === '' || SLIPS.includes(error.type)) return
  const before = Object.hasOwn(errors, key) ? errors[key] : undefined
  const iterations = before?.iterations ?? []
  errors[key] = {
    iterations: iterations.includes(record.iterationNumber)
      ? iterations
      : [...iterations, record.iterationNumber],
    message: error.message,
    // The latest word counts: an error that came back after it was solved is solved no more.
    ...(solution && {
      solved: {
        iteration: solution.iterationNumber,
        summary: solution.summary,
        decisions: solution.decisions.slice(0, 2).map(({ description }) => description),
      },
    }),
  }
}
