import type { ToolCall } from './agent-run.ts'

/** Every prompt of the loop begins with this, so that its runs are told from a person's sessions wherever they turn up. */
export const LOOP_PROMPT_MARK = 'Ralph loop run:'

/** How prompts of the loop begin, and began before they carried the mark. */
export const LOOP_OPENINGS = [
  LOOP_PROMPT_MARK,
  'You are one of many iterations that work on this project',
  'You review the feature "',
] as const

/** Whether a text that a session begins with was written by the loop and not by a person. */
export function isLoopPrompt(text: string): boolean {
  const beginning = text.trimStart()
  return LOOP_OPENINGS.some((opening) => beginning.startsWith(opening))
}

/** Every refusal by a hook of ours begins with this, so that the record of the run does not take it for an error. */
export const STOP_ONCE_MARK = 'Ralph memory stopped this once:'

/** Our MCP server, configured by us or brought by our plugin: `mcp__ralph__x`, `mcp_ralph_x`, `ralph_x` or `ralph-x`, by the agent. */
const OWN_SERVER = /^(?:mcp__?(?:plugin_)?ralph[^_]*_|ralph(?:-memory)?[_-])/
/** Our command line in a shell, also behind a change of folder. */
const OWN_COMMAND = /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:npx\s+(?:-y\s+|--yes\s+)?)?ralph(?:-memory)?\s/

/** Whether a call asks our own memory: what it answers is known, and nobody's words. */
export function isOwnTool({ name, command }: Pick<ToolCall, 'name' | 'command'>): boolean {
  return OWN_SERVER.test(name) || (command !== undefined && OWN_COMMAND.test(command))
}
