import { asObject, asString, type JsonObject, parseObject } from '../text/json.ts'

/** What Claude Code hands to a hook on standard input, as far as we use it. */
export interface HookInput {
  event: string
  sessionId: string
  cwd: string
  /** Set in the calls of a sub-agent. */
  subAgent?: string
  /** The session's own file; grows while the session runs. */
  transcript?: string
  /** Of a session start: `startup`, `resume`, `clear`, `compact`. */
  source?: string
  prompt?: string
  tool?: string
  toolInput: JsonObject
  /** Of a failed tool call; absent when a person interrupted it. */
  error?: string
}

/** Undefined for anything that is no hook's input: then there is nothing to do. Fields of the wrong type are absent. */
export function parseInput(text: string): HookInput | undefined {
  const raw = parseObject(text)
  if (!raw) return undefined
  const string = (key: string) => asString(raw[key]) || undefined
  const event = string('hook_event_name')
  const sessionId = string('session_id')
  const cwd = string('cwd')
  if (event === undefined || sessionId === undefined || cwd === undefined) return undefined
  const optional = {
    subAgent: string('agent_id'),
    transcript: string('transcript_path'),
    source: string('source'),
    prompt: string('prompt'),
    tool: string('tool_name'),
    error: raw['is_interrupt'] === true ? undefined : string('error'),
  }
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  return { event, sessionId, cwd, toolInput: asObject(raw['tool_input']) ?? {}, ...given }
}
