/** The tool that answers hooks. It is in no list: Claude Code calls it for hooks, a model is never offered it. */
export const HOOK_TOOL = 'hook'

/** What every hook needs to know. */
const ALWAYS = ['session_id', 'cwd', 'transcript_path', 'agent_id']

/**
 * The hooks that a server can answer, which runs for the session anyway, and what it needs to know of each: by its place in
 * what Claude Code knows. Not the whole of that: files that are written would travel along. The others come when no server
 * is connected yet, or any more.
 */
const SERVED: Readonly<Record<string, readonly string[]>> = {
  UserPromptSubmit: ['prompt'],
  PreToolUse: ['tool_name', 'tool_input.command', 'tool_input.file_path', 'tool_input.notebook_path'],
  PostToolUseFailure: ['tool_name', 'tool_input.command', 'error', 'is_interrupt'],
  Stop: [],
}

export function canBeServed(event: string): boolean {
  return Object.hasOwn(SERVED, event)
}

/** In Claude Code's settings: it puts the values in place of `${…}`, and nothing where it has none. */
export function servedHook(event: string, server: string): object {
  const places = [...ALWAYS, ...(SERVED[event] ?? [])]
  const input = Object.fromEntries(places.map((place) => [fieldOf(place), `\${${place}}`]))
  return { type: 'mcp_tool', server, tool: HOOK_TOOL, input: { hook_event_name: event, ...input } }
}

/** The same as Claude Code would hand it to a command; undefined for an event that is not served. */
export function servedInput(given: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const event = given['hook_event_name']
  if (typeof event !== 'string' || !canBeServed(event)) return undefined
  const { command, file_path, notebook_path, is_interrupt, ...rest } = given
  const toolInput = Object.entries({ command, file_path, notebook_path }).filter(([, value]) => value !== '')
  return {
    ...rest,
    tool_input: Object.fromEntries(toolInput),
    is_interrupt: is_interrupt === true || is_interrupt === 'true',
  }
}

function fieldOf(place: string): string {
  return place.split('.').at(-1)!
}
