import { asObject, asString, type JsonObject } from '../text/json.ts'
import type { AgentName } from '../transcripts/agents.ts'

/** What Claude Code hands to a hook on standard input, as far as we use it; what other programs say is put into its words. */
export interface HookInput {
  event: string
  /** Whose session it is, where it is not Claude Code's. */
  agent?: AgentName
  sessionId: string
  cwd: string
  /** Set in the calls of a sub-agent. */
  subAgent?: string
  /** The session's own file; grows while the session runs. */
  transcript?: string
  /** Of a session start: `startup`, `resume`, `clear`, `compact`. */
  source?: string
  prompt?: string
  /** Where a program asks several times for one prompt. */
  promptId?: string
  tool?: string
  toolInput: JsonObject
  /** Of a failed tool call; absent when a person interrupted it. */
  error?: string
}

/** Before anything looks at them: no name, command or question is longer, and of an output both ends tell. */
const MOST_READ = 16_000
const MOST_OUTPUT = { head: 16_000, tail: 48_000 }
/** What is longer takes longer to read than a hook has time. */
export const LONGEST_INPUT = 24_000_000

/** Undefined for anything that is no hook's input. Fields of the wrong type are absent. */
export function inputOf(raw: JsonObject): HookInput | undefined {
  const string = (key: string) => asString(raw[key])?.slice(0, MOST_READ) || undefined
  const event = string('hook_event_name')
  const sessionId = string('session_id')
  const cwd = string('cwd')
  if (event === undefined || sessionId === undefined || cwd === undefined) return undefined
  const optional = {
    subAgent: string('agent_id'),
    transcript: string('transcript_path'),
    source: string('source'),
    prompt: string('prompt'),
    promptId: string('prompt_id'),
    tool: string('tool_name'),
    error: raw['is_interrupt'] === true ? undefined : bothEnds(asString(raw['error']) ?? '') || undefined,
  }
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  return { event, sessionId, cwd, toolInput: cutTexts(asObject(raw['tool_input']) ?? {}), ...given }
}

/** The files that a tool is called for: one, or all that a patch names. */
export function filesOfCall({ toolInput }: HookInput): string[] {
  const { file_paths, file_path, notebook_path } = toolInput
  const named = Array.isArray(file_paths) ? file_paths : [file_path ?? notebook_path]
  return named.filter((path) => typeof path === 'string' && path !== '')
}

/** What a tool is called with lies at the top; whole files that it writes do, too. */
function cutTexts(values: JsonObject): JsonObject {
  const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, MOST_READ) : value)
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(value)]))
}

function bothEnds(output: string): string {
  const { head, tail } = MOST_OUTPUT
  return output.length <= head + tail ? output : `${output.slice(0, head)}\n${output.slice(-tail)}`
}
