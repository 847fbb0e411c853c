import type { JsonObject } from '../text/json.ts'
import type { ToolCall, TranscriptFormat } from './agent-run.ts'
import { claudeCode } from './claude-code/claude-code.ts'
import type { CallResult, DecodedLine } from './events.ts'
import type { ExchangeReader } from './exchange.ts'
import type { CollectLimits } from './limits.ts'

/** How one agent's program writes down what it does: a folder per agent, told from the others by the lines alone. */
export interface AgentFormat {
  /** As records name it, e.g. `claude-code`. */
  agent: string
  /** Which of the agent's formats the line is in; undefined when it is not this agent's. */
  formatOf(line: JsonObject): TranscriptFormat | undefined
  decode(line: JsonObject, format: TranscriptFormat, limits: CollectLimits): DecodedLine
  /** Completes a call with its result. */
  settle(call: ToolCall, result: CallResult, limits: CollectLimits): void
  /** For one of its session files. */
  exchanges(path: string): ExchangeReader
}

const AGENTS: readonly AgentFormat[] = [claudeCode]

export function agentOf(line: JsonObject): AgentFormat | undefined {
  return AGENTS.find((agent) => agent.formatOf(line) !== undefined)
}

/** The agents whose transcripts can be read, and where to find them: for messages. */
export const READABLE =
  'Give the output of `claude -p … --output-format stream-json --verbose`, or a session file from ~/.claude/projects.'

/**
 * Lines of programs that write like one we read, but mean other tools by other names: once such a line has been seen, the
 * whole transcript is theirs.
 */
export function isLookAlike(line: JsonObject): boolean {
  return 'qwen_code_version' in line || 'provenance' in line
}
