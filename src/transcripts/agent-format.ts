import type { JsonObject } from '../text/json.ts'
import type { ToolCall, TranscriptFormat } from './agent-run.ts'
import { AGENT_NAMES, type AgentName, agentLabel } from './agents.ts'
import { claudeCode } from './claude-code/claude-code.ts'
import { codex } from './codex/codex.ts'
import { copilot } from './copilot/copilot.ts'
import type { AgentEvent, CallResult, DecodedLine } from './events.ts'
import type { ExchangeReader } from './exchange.ts'
import { gemini } from './gemini/gemini.ts'
import type { CollectLimits } from './limits.ts'
import { opencode } from './opencode/opencode.ts'
import { pi } from './pi/pi.ts'
import { qwen } from './qwen/qwen.ts'

/** How one agent's program writes down what it does: a folder per agent, told from the others by the lines alone. */
export interface AgentFormat {
  agent: AgentName
  /** Which of the agent's formats the line is in; undefined when it is not this agent's. */
  formatOf(line: JsonObject): TranscriptFormat | undefined
  /** Whether the line can only be this agent's, where its other lines look like another's. Default: whatever has a format. */
  recognises?(line: JsonObject): boolean
  /** Its lines look alike in all formats: the first of a file or stream tells the format of all. */
  oneFormatPerFile?: boolean
  /** For one file or stream: it may remember what it has read. */
  decoder(format: TranscriptFormat, limits: CollectLimits): LineDecoder
  /** Completes a call with its result. */
  settle(call: ToolCall, result: CallResult, limits: CollectLimits): void
  /** For one of its session files. */
  exchanges(path: string): ExchangeReader
  /** How lines begin that repeat, or will be repeated by, others: they need not be parsed. */
  partial?: readonly string[]
  /** The lines that a whole JSON document stands for, where the program writes such; undefined when it is not this agent's. */
  document?(value: JsonObject): JsonObject[] | undefined
  /** The lines of a session in a database, by its address; undefined when that is no address of this agent's. */
  stored?(address: string): Promise<JsonObject[] | undefined>
  /** Other files that belong to the run in this session file: those of its sub-agents. */
  companions?(path: string): Promise<string[]>
  /** The session that started the sub-agent whose session this is; undefined when it is gone. */
  parent?(path: string, parentId: string): Promise<string | undefined>
}

export interface LineDecoder {
  decode(line: JsonObject): DecodedLine
  /** At the end of the file or stream: what was waiting for more. */
  end?(): AgentEvent[]
}

/** The first that recognises a line has the whole transcript: those whose lines look like another's come before it. */
const FORMATS: readonly AgentFormat[] = [qwen, opencode, copilot, claudeCode, codex, gemini, pi]

export function agentOf(line: JsonObject, wanted?: AgentName): AgentFormat | undefined {
  return formatsOf(wanted).find((format) => {
    // Whose it is need not be told from it where somebody has said so.
    const isOnlyTheirs = wanted === undefined ? format.recognises?.(line) : undefined
    return isOnlyTheirs ?? format.formatOf(line) !== undefined
  })
}

/** The lines of a JSON document that an agent's program wrote as a whole. */
export function documentLines(value: JsonObject, wanted?: AgentName): JsonObject[] | undefined {
  for (const format of formatsOf(wanted)) {
    const lines = format.document?.(value)
    if (lines) return lines
  }
  return undefined
}

/** The lines of a session that lies in an agent's database. */
export async function storedLines(address: string, wanted?: AgentName): Promise<JsonObject[] | undefined> {
  for (const format of formatsOf(wanted)) {
    const lines = await format.stored?.(address)
    if (lines) return lines
  }
  return undefined
}

function formatsOf(wanted: AgentName | undefined): readonly AgentFormat[] {
  return wanted === undefined ? FORMATS : FORMATS.filter(({ agent }) => agent === wanted)
}

/** The agents whose transcripts can be read: for messages. */
export const READABLE = `Readable are the event streams and session files of ${AGENT_NAMES.map(agentLabel).join(', ')}.`
