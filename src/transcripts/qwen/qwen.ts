import type { JsonObject } from '../../text/json.ts'
import type { AgentFormat } from '../agent-format.ts'
import { claudeCode } from '../claude-code/claude-code.ts'
import { isStreamLine } from '../claude-code/stream.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import { settleCall } from '../gemini/tools.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { isSessionLine, SessionDecoder } from './session.ts'
import { subAgentFiles } from './session-files.ts'
import { StreamDecoder } from './stream.ts'

/** Qwen Code: the output of `qwen -p --output-format stream-json`, and `~/.qwen/projects/<project>/chats/<session>.jsonl`. */
export const qwen: AgentFormat = {
  agent: 'qwen',
  formatOf: (line) => (isSessionLine(line) ? 'session' : isStreamLine(line) ? 'stream-json' : undefined),
  // Its stream is Claude Code's but for the first line.
  recognises: (line) => isSessionLine(line) || isFirstLine(line),
  decoder: (format, limits) =>
    format === 'session' ? new SessionDecoder(limits) : new StreamDecoder(limits),
  settle: settleCall,
  exchanges: (path) => new DecodedExchanges(new SessionDecoder(COLLECT_LIMITS), path),
  partial: claudeCode.partial!,
  companions: subAgentFiles,
}

function isFirstLine(line: JsonObject): boolean {
  return line['type'] === 'system' && line['subtype'] === 'init' && 'qwen_code_version' in line
}
