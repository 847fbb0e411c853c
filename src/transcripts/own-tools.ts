import type { ToolCall } from './agent-run.ts'

/** Our MCP server, configured by us or brought by our plugin: `mcp__ralph__x`, `mcp_ralph_x`, `ralph_x` or `ralph-x`, by the agent. */
const OWN_SERVER = /^(?:mcp__?(?:plugin_)?ralph[^_]*_|ralph(?:-memory)?[_-])/
/** Our command line in a shell, also behind a change of folder. */
const OWN_COMMAND = /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:npx\s+(?:-y\s+|--yes\s+)?)?ralph(?:-memory)?\s/

/** Whether a call asks our own memory: what it answers is known, and nobody's words. */
export function isOwnTool({ name, command }: Pick<ToolCall, 'name' | 'command'>): boolean {
  return OWN_SERVER.test(name) || (command !== undefined && OWN_COMMAND.test(command))
}
