import type { JsonObject } from '../../text/json.ts'
import type { AgentFormat } from '../agent-format.ts'
import { decodeSessionLine, isSessionLine } from './session.ts'
import { SessionReading } from './session-reading.ts'
import { decodeStreamLine, isStreamLine } from './stream.ts'
import { parentFile, subAgentFiles } from './sub-agent-files.ts'
import { settleCall } from './tools.ts'

/** Claude Code: the output of `claude -p --output-format stream-json`, and `~/.claude/projects/<project>/<session>.jsonl`. */
export const claudeCode: AgentFormat = {
  agent: 'claude-code',
  formatOf: (line: JsonObject) =>
    isSessionLine(line) ? 'session' : isStreamLine(line) ? 'stream-json' : undefined,
  decoder: (format, limits) => ({
    decode: (line) =>
      format === 'session' ? decodeSessionLine(line, limits) : decodeStreamLine(line, limits),
  }),
  settle: settleCall,
  exchanges: (path) => new SessionReading(path),
  // Partial messages: many, and never needed, since complete ones follow.
  partial: ['{"type":"stream_event"'],
  companions: subAgentFiles,
  parent: async (path, parentId) => parentFile(path, parentId),
}
