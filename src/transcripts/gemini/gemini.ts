import type { AgentFormat } from '../agent-format.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { GeminiSessionDecoder, geminiDocumentLines, isGeminiSessionLine, isOnlyGeminis } from './session.ts'
import { GeminiStreamDecoder, isGeminiStreamLine } from './stream.ts'
import { geminiSubAgentFiles, parentOf } from './sub-agent-files.ts'
import { settleGeminiCall } from './tools.ts'

/** Gemini CLI: the output of `gemini -p --output-format stream-json`, and `~/.gemini/tmp/<project>/chats/session-….jsonl`. */
export const gemini: AgentFormat = {
  agent: 'gemini',
  formatOf: (line) =>
    isGeminiStreamLine(line) ? 'stream-json' : isGeminiSessionLine(line) ? 'session' : undefined,
  recognises: (line) => isGeminiStreamLine(line) || isOnlyGeminis(line),
  decoder: (format, limits) =>
    format === 'session' ? new GeminiSessionDecoder(limits) : new GeminiStreamDecoder(limits),
  settle: settleGeminiCall,
  exchanges: (path) => new DecodedExchanges(new GeminiSessionDecoder(COLLECT_LIMITS, parentOf(path)), path),
  document: geminiDocumentLines,
  companions: geminiSubAgentFiles,
}
