import type { AgentFormat } from '../agent-format.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { documentLines, isOnlyGeminis, isSessionLine, SessionDecoder } from './session.ts'
import { isStreamLine, StreamDecoder } from './stream.ts'
import { parentOf, subAgentFiles } from './sub-agent-files.ts'
import { settleCall } from './tools.ts'

/** Gemini CLI: the output of `gemini -p --output-format stream-json`, and `~/.gemini/tmp/<project>/chats/session-….jsonl`. */
export const gemini: AgentFormat = {
  agent: 'gemini',
  formatOf: (line) => (isStreamLine(line) ? 'stream-json' : isSessionLine(line) ? 'session' : undefined),
  recognises: (line) => isStreamLine(line) || isOnlyGeminis(line),
  decoder: (format, limits) =>
    format === 'session' ? new SessionDecoder(limits) : new StreamDecoder(limits),
  settle: settleCall,
  exchanges: (path) => new DecodedExchanges(new SessionDecoder(COLLECT_LIMITS, parentOf(path)), path),
  document: documentLines,
  companions: subAgentFiles,
}
