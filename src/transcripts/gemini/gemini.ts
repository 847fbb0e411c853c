import type { JsonObject } from '../../text/json.ts'
import type { AgentFormat } from '../agent-format.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { GeminiSessionDecoder, geminiDocumentLines, isGeminiSessionLine } from './session.ts'
import { GeminiStreamDecoder, isGeminiStreamLine } from './stream.ts'
import { geminiParentFile, geminiSubAgentFiles, parentOf } from './sub-agent-files.ts'
import { settleGeminiCall } from './tools.ts'

/** Gemini CLI: the output of `gemini -p --output-format stream-json`, and `~/.gemini/tmp/<project>/chats/session-….jsonl`. */
export const gemini: AgentFormat = {
  agent: 'gemini',
  formatOf: (line) =>
    isGeminiStreamLine(line) ? 'stream-json' : isGeminiSessionLine(line) ? 'session' : undefined,
  recognises: isOnlyGeminis,
  decoder: (format, limits) =>
    format === 'session' ? new GeminiSessionDecoder(limits) : new GeminiStreamDecoder(limits),
  settle: settleGeminiCall,
  exchanges: (path) => new DecodedExchanges(new GeminiSessionDecoder(COLLECT_LIMITS, parentOf(path)), path),
  document: geminiDocumentLines,
  companions: geminiSubAgentFiles,
  parent: geminiParentFile,
}

/** Messages and errors could be anybody's; either form begins with a line that could not. */
function isOnlyGeminis(line: JsonObject): boolean {
  if (isGeminiStreamLine(line)) return line['type'] !== 'message' && line['type'] !== 'error'
  return isGeminiSessionLine(line) && ('projectHash' in line || line['type'] === 'gemini')
}
