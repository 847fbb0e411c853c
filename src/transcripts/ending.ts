import type { Ending, RunResult, TranscriptFormat } from './agent-run.ts'
import type { RunEnd } from './run-builder.ts'

/** How a run came to its end: by its result, or, without one, by the last thing the agent did. */
export function endingOf(end: RunEnd, format: TranscriptFormat | undefined): Ending {
  if (end.result && end.resultIsLast) return end.resultRateLimited ? 'rate_limited' : resultEnding(end.result)
  switch (end.lastAct) {
    case 'interrupted':
      return 'interrupted'
    // Also while still waiting for the next try: whatever stopped the process, the limit is why nothing happened.
    case 'rate_limited':
      return 'rate_limited'
    case 'api_error':
      return 'api_error'
    case 'text':
      // A session file never has a closing line; there an answer without further calls is the end of a turn.
      return format === 'session' ? 'completed' : 'cut'
    default:
      return 'cut'
  }
}

function resultEnding(result: RunResult): Ending {
  if (!result.isError) return result.subtype.startsWith('error_') ? 'error' : 'completed'
  if (/^error_max_(?:turns|budget)/.test(result.subtype)) return 'limit'
  // A cancelled run calls itself an error during execution.
  if (/^aborted/.test(result.terminalReason ?? '')) return 'interrupted'
  return result.subtype === 'success' ? 'api_error' : 'error'
}
