import type { EndingCause, IterationRecord } from './record.ts'

/** Limits that a task may well run into again, whoever works on it. */
const USED_UP: readonly (EndingCause | undefined)[] = ['time', 'silence', 'turns', 'context']

/** Nobody and nothing from outside ended it. */
export function ranToItsEnd({ ending: { kind } }: Pick<IterationRecord, 'ending'>): boolean {
  return kind === 'done' || kind === 'worked'
}

/**
 * Whether a run tried and did not get there: it worked to its own end, and either nothing came of it or a check was left
 * failing. Whoever was stopped, refused, or let down by the service has not shown that anything does not work; nor has a
 * run all of whose tests, builds, lints and type checks came out well, even if nobody has said that the task is done.
 */
export function isFailedAttempt({ kind, ending, outcome, checks }: IterationRecord): boolean {
  if (kind === 'review' || ending.kind !== 'worked') return false
  if (outcome === 'partial') return checks.some(({ result }) => result === 'failed')
  const proofs = checks.filter((check) => check.kind !== 'command')
  const worksOut = proofs.length > 0 && checks.every(({ result }) => result === 'passed')
  return outcome === 'failure' && !worksOut
}

/** Whether another task should have its turn first: a failed attempt, or one that used up what a run may take. */
export function wasInVain(record: IterationRecord): boolean {
  return isFailedAttempt(record) || USED_UP.includes(record.ending.cause)
}

/** What the run created, modified or deleted. */
export function changedPaths({ filesTouched }: Pick<IterationRecord, 'filesTouched'>): string[] {
  return filesTouched.filter(({ action }) => action !== 'read').map(({ path }) => path)
}
