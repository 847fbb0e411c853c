import type { AgentRun } from '../../transcripts/agent-run.ts'
import type { Outcome, TouchedFile } from '../record.ts'
import type { ReadCall } from './calls.ts'

/** A task as it stood before or after the run. */
export interface TaskState {
  status: string
  /** How many comments it had. */
  comments?: number
}

export interface TaskChange {
  before: TaskState
  after: TaskState
}

/**
 * How the iteration came out. The task's own status is the best witness; a task that is done stays a success even if
 * the run was cut afterwards. Without it, the run is judged by what it shows:
 *
 * 1. a rate limit or overload ended it, or it was still waiting for one → `rate_limited`
 * 2. we stopped it because its time was up → `timeout`
 * 3. a person stopped it, or a crash left it behind → `partial`
 * 4. it ended well, but permissions had kept it from changing anything → `failure`
 * 5. it ended well, and its last test run and last build did not fail → `success`
 * 6. it ended well, but left tests or the build failing → `partial`
 * 7. it ended badly (turns or budget used up, API error, interrupted, killed) → `partial` if it changed files, since
 *    the next iteration finds that work in the project; else `failure`
 */
export function extractOutcome(
  run: AgentRun,
  calls: readonly ReadCall[],
  files: readonly TouchedFile[],
  task?: TaskChange,
): Outcome {
  if (task?.after.status === 'done') return 'success'
  if (run.service?.cause === 'rate_limit') return 'rate_limited'
  if (isTimeUp(run)) return 'timeout'
  if (isCutOff(run)) return 'partial'
  if (task) return byTask(task)
  if (run.ending !== 'completed') return files.some(({ action }) => action !== 'read') ? 'partial' : 'failure'
  if (wasRefused(calls)) return 'failure'
  return leftFailing(calls) ? 'partial' : 'success'
}

/** Permissions kept the run from changing anything at all. */
export function wasRefused(calls: readonly ReadCall[]): boolean {
  return calls.some(({ fate }) => fate === 'refused') && !calls.some(changedSomething)
}

function changedSomething({ call, effects }: ReadCall): boolean {
  if (call.status !== 'ok') return false
  return (
    call.kind === 'write' ||
    call.kind === 'edit' ||
    (call.changes ?? []).length > 0 ||
    effects.some(({ action }) => action !== 'read')
  )
}

function isTimeUp({ process }: AgentRun): boolean {
  return process.stopped?.reason === 'time' || process.stopped?.reason === 'silence'
}

/** What a person stopped, or a crash left behind, is no failed attempt. */
function isCutOff({ process, ending }: AgentRun): boolean {
  const reason = process.stopped?.reason
  return reason === 'interrupted' || (reason === 'recovered' && ending !== 'completed')
}

function byTask({ before, after }: TaskChange): Outcome {
  const commented = (after.comments ?? 0) > (before.comments ?? 0)
  if (commented) return 'partial'
  // Back to `pending` is no progress.
  return after.status !== before.status && after.status !== 'pending' ? 'partial' : 'failure'
}

type Check = 'test' | 'compile'

/** Whether the last run of the tests, or of the compiler, still failed. */
function leftFailing(calls: readonly ReadCall[]): boolean {
  const failing: Record<Check, boolean> = { test: false, compile: false }
  for (const { call, failures, results } of calls) {
    if (call.kind !== 'shell') continue
    // Tests that could not even begin fail as well, whatever they print.
    const testFailed = results.some(({ kind, result }) => kind === 'test' && result === 'failed')
    for (const check of ['test', 'compile'] as const) {
      const isReported = failures.some(({ type }) => type === check)
      if (isReported || (check === 'test' && testFailed)) failing[check] = true
      else if (call.status === 'ok' && isCheck(check, call.command ?? '')) failing[check] = false
    }
  }
  return failing.test || failing.compile
}

function isCheck(check: Check, command: string): boolean {
  return check === 'test'
    ? /\b(?:test|tests|vitest|jest|pytest|unittest|mocha|rspec|phpunit|ctest|check|ci|verify)\b/.test(command)
    : /\b(?:tsc|typecheck|type-check|build|compile|check|rustc|mypy|pyright|make|ci|verify|vet|clippy|test)\b/.test(
        command,
      )
}
