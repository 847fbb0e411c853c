import type { JsonObject } from '../../text/json.ts'
import type { AgentFormat } from '../agent-format.ts'
import { settleByOutcome } from '../call-outcome.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { RolloutDecoder } from './rollout.ts'
import { parentRollout, subAgentRollouts } from './rollout-files.ts'
import { isRolloutLine } from './rollout-lines.ts'
import { isExecLine, StreamDecoder } from './stream.ts'

/** Codex CLI: the output of `codex exec --json`, and the rollouts in `~/.codex/sessions`. */
export const codex: AgentFormat = {
  agent: 'codex',
  formatOf: (line: JsonObject) =>
    isRolloutLine(line) ? 'session' : isExecLine(line) ? 'stream-json' : undefined,
  // Other programs print lines of the type `error` too.
  recognises: (line) => isRolloutLine(line) || (line['type'] !== 'error' && isExecLine(line)),
  decoder: (format, limits) =>
    format === 'session' ? new RolloutDecoder(limits) : new StreamDecoder(limits),
  settle: settleByOutcome,
  exchanges: (path) => new DecodedExchanges(new RolloutDecoder(COLLECT_LIMITS), path),
  companions: subAgentRollouts,
  parent: parentRollout,
}
