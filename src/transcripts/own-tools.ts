import type { ToolCall } from './agent-run.ts'

/** Our MCP server, configured by us or brought by our plugin, in an agent that names tools after their server. */
const OWN_SERVER = /^mcp__?(?:plugin_)?ralph[^_]*_/
/** Our command line in a shell, also behind a change of folder. */
const OWN_COMMAND = /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:npx\s+(?:-y\s+|--yes\s+)?)?ralph(?:-memory)?\s/

/** Whether a call asks our own memory: what it answers is known, and nobody's words. */
export function isOwnTool({ name, command }: Pick<ToolCall, 'name' | 'command'>): boolean {
  return OWN_SERVER.test(name) || (command !== undefined && OWN_COMMAND.test(command))
}
