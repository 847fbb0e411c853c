import { ranToItsEnd } from '../feature-memory/endings.ts'
import type { EndingCause, IterationRecord, RunEnding } from '../feature-memory/record.ts'
import { quoted } from '../text/quote.ts'

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
