import type { AgentFormat } from '../agent-format.ts'
import { settleByOutcome } from '../call-outcome.ts'
import { formatOf, PiDecoder, recognises } from './decoder.ts'
import { PiExchanges } from './tree.ts'

/** pi: the output of `pi --mode json`, and `~/.pi/agent/sessions/<project>/<session>.jsonl`. */
export const pi: AgentFormat = {
  agent: 'pi',
  formatOf,
  recognises,
  decoder: (_format, limits) => new PiDecoder(limits),
  settle: settleByOutcome,
  exchanges: (path) => new PiExchanges(path),
  // Each repeats all that was said or printed so far; complete ones follow.
  partial: ['{"type":"message_update"', '{"type":"tool_execution_update"'],
}
