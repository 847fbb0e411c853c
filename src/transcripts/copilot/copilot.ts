import { asObject, asString, type JsonObject } from '../../text/json.ts'
import type { AgentFormat } from '../agent-format.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { EventDecoder } from './decoder.ts'
import { settleCompleted } from './tools.ts'
import { workspaceBeside } from './workspace.ts'

/**
 * GitHub Copilot CLI: the output of `copilot --output-format json`, and `~/.copilot/session-state/<session>/events.jsonl`. Both
 * hold the same events; the stream has passing ones in between, with which it also begins, and a result.
 */
export const copilot: AgentFormat = {
  agent: 'copilot',
  formatOf: (line) => (isEvent(line) ? formatOf(line) : isResult(line) ? 'stream-json' : undefined),
  recognises: (line) => (isEvent(line) && /^[a-z_]+\./.test(asString(line['type'])!)) || isResult(line),
  oneFormatPerFile: true,
  decoder: (format, limits) => new EventDecoder(format, limits),
  settle: settleCompleted,
  exchanges: (path) =>
    new DecodedExchanges(new EventDecoder('session', COLLECT_LIMITS, workspaceBeside(path)), path),
}

function isEvent(line: JsonObject): boolean {
  return (
    asString(line['type']) !== undefined &&
    asObject(line['data']) !== undefined &&
    asString(line['id']) !== undefined &&
    asString(line['timestamp']) !== undefined &&
    'parentId' in line
  )
}

function isResult(line: JsonObject): boolean {
  return line['type'] === 'result' && 'exitCode' in line && asString(line['sessionId']) !== undefined
}

function formatOf({ ephemeral }: JsonObject): 'session' | 'stream-json' {
  return ephemeral === true ? 'stream-json' : 'session'
}
