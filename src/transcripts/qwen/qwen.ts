import type { JsonObject } from '../../text/json.ts'
import type { AgentFormat } from '../agent-format.ts'
import { claudeCode } from '../claude-code/claude-code.ts'
import { isStreamLine } from '../claude-code/stream.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import { settleGeminiCall } from '../gemini/tools.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { isQwenSessionLine, QwenSessionDecoder } from './session.ts'
import { qwenParentFile, qwenSubAgentFiles } from './session-files.ts'
import { QwenStreamDecoder } from './stream.ts'

/** Qwen Code: the output of `qwen -p --output-format stream-json`, and `~/.qwen/projects/<project>/chats/<session>.jsonl`. */
export const qwen: AgentFormat = {
  agent: 'qwen',
  formatOf: (line) => (isQwenSessionLine(line) ? 'session' : isStreamLine(line) ? 'stream-json' : undefined),
  // Its stream is Claude Code's but for the first line.
  recognises: (line) => isQwenSessionLine(line) || isFirstLine(line),
  decoder: (format, limits) =>
    format === 'session' ? new QwenSessionDecoder(limits) : new QwenStreamDecoder(limits),
  settle: settleGeminiCall,
  exchanges: (path) => new DecodedExchanges(new QwenSessionDecoder(COLLECT_LIMITS), path),
  partial: claudeCode.partial!,
  companions: qwenSubAgentFiles,
  parent: async (path, parentId) => qwenParentFile(path, parentId),
}

function isFirstLine(line: JsonObject): boolean {
  return line['type'] === 'system' && line['subtype'] === 'init' && 'qwen_code_version' in line
}
