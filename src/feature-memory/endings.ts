import { quoted } from '../text/quote.ts'
import type { EndingCause, IterationRecord, RunEnding } from './record.ts'

const CAUSES: Record<EndingCause, string> = {
  interrupted: 'was ended with Ctrl-C',
  killed: 'was killed',
  time: 'was stopped when its time was up',
  silence: 'was stopped because there was no output any more',
  recovered: 'was cut off when the loop itself was killed',
  rate_limit: 'was ended by a rate limit of the service',
  key: 'was ended by the service, which refused its key',
  credit: 'was ended by the service for lack of credit',
  budget: 'was ended because its budget was used up',
  turns: 'was ended because its turns were used up',
  context: 'was ended because its prompt grew too long for the model',
  api: 'was ended by the service',
}

/** Limits that a task may well run into again, whoever works on it. */
const USED_UP: readonly (EndingCause | undefined)[] = ['time', 'silence', 'turns', 'context']
/** A limit of everybody's, not of one account. */
const OVERLOADED = /overload|\b529\b/i
/** "(Bash: npm install left-pad)" at the end of what the program said. */
const REFUSED_ACTION = / \((\w+: .+)\)$/
const LONGEST_DETAIL = 200

/**
 * How a run ended, to follow "iteration 7": told as what it is, since a stop from outside or trouble of the service is no
 * failure of the work.
 */
export function describeEnding({ ending }: Pick<IterationRecord, 'ending'>): string {
  switch (ending.kind) {
    case 'done':
      return 'was done'
    case 'worked':
      return 'worked and was not done'
    case 'refused':
      return `was not allowed what it needed${refusedAction(ending)}`
    case 'stopped':
    case 'service_failed':
      return causeWords(ending)
  }
}

/** What must be said so that nobody takes it for a failure of the work; nothing of a run that went to its own end. */
export function endingRemark(record: Pick<IterationRecord, 'ending'>): string | undefined {
  return ranToItsEnd(record) ? undefined : describeEnding(record)
}

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

function refusedAction({ detail = '' }: RunEnding): string {
  const action = REFUSED_ACTION.exec(detail)?.[1]
  return action === undefined ? '' : ` (${quoted(action, LONGEST_DETAIL)})`
}

function causeWords({ kind, cause, exitCode, signal, detail }: RunEnding): string {
  const said = detail?.trim().replace(/\s+/g, ' ')
  const limit = /^(?:silent for|stopped after) (\d[\w .]{0,20})$/.exec(said ?? '')?.[1]
  if (cause === 'silence' && limit) return `was stopped after ${limit} without output`
  if (cause === 'time' && limit) return `was stopped when its time of ${limit} was up`
  if (cause === 'killed' && signal && /^SIG[A-Z0-9]{1,10}$/.test(signal) && signal !== 'SIGKILL')
    return `was ended by ${signal}`
  // Only here do the service's own words add anything.
  if (cause === 'api' && said) return `${CAUSES.api}: ${quoted(said, LONGEST_DETAIL)}`
  if (cause === 'rate_limit' && OVERLOADED.test(said ?? ''))
    return 'was ended because the service was overloaded'
  if (cause) return CAUSES[cause]
  if (kind === 'service_failed') return CAUSES.api
  // Killed, crashed or not over: nothing says which.
  return exitCode ? `ended with exit code ${exitCode} and no closing words` : 'ended without closing words'
}
