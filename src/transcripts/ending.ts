import type { Ending, RunResult, ServiceFailure, TranscriptFormat } from './agent-run.ts'

/** The last thing the main agent did: how a run without a closing line ended. */
export type LastAct = 'text' | 'call' | 'interrupted' | 'retry' | ServiceFailure

export interface RunEnd {
  result: (RunResult & { service: ServiceFailure | undefined }) | undefined
  /** Nothing came after the result: no further turn that was cut. */
  resultIsLast: boolean
  lastAct: LastAct | undefined
}

/** How a run came to its end: by its result, or, without one, by the last thing the agent did. */
export function endingOf(
  { result, resultIsLast, lastAct }: RunEnd,
  format: TranscriptFormat | undefined,
): { ending: Ending; service: ServiceFailure | undefined } {
  if (result && resultIsLast) return { ending: resultEnding(result), service: result.service }
  // Also while still waiting for the next try: whatever stopped the process, the limit is why nothing happened.
  if (typeof lastAct === 'object') return { ending: 'service_failed', service: lastAct }
  // A session file never has a closing line; there an answer without further calls is the end of a turn.
  const answered = lastAct === 'text' && format === 'session'
  return {
    ending: lastAct === 'interrupted' ? 'interrupted' : answered ? 'completed' : 'cut',
    service: undefined,
  }
}

function resultEnding({ service, isError, subtype, terminalReason }: NonNullable<RunEnd['result']>): Ending {
  if (service) return 'service_failed'
  if (!isError) return subtype.startsWith('error_') ? 'failed' : 'completed'
  // A cancelled run calls itself an error during execution.
  return /^aborted/.test(terminalReason ?? '') ? 'interrupted' : 'failed'
}
