import { asString, type JsonObject } from '../../text/json.ts'
import { ownScriptDialect } from './own-script.ts'
import type { ClaudeTool } from './tool-calls.ts'

const TOOLS: Readonly<Record<string, ClaudeTool>> = {
  bash: 'Bash',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
}
/** A command's failure says so in its last line, and nowhere else. */
const EXIT_CODE = /\n\nCommand exited with code (\d+)\s*$/

/** Our own extension calls. */
export const piDialect = ownScriptDialect({
  tools: TOOLS,
  asTheyAre: new Set(['SessionStart', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SessionEnd']),
  afterTool,
})

function afterTool(raw: JsonObject, call: { tool_name: ClaudeTool }): JsonObject | undefined {
  if (call.tool_name === 'Read') return raw['failed'] === true ? undefined : { ...raw, ...call }
  if (call.tool_name !== 'Bash' || raw['failed'] !== true) return undefined
  const output = asString(raw['output']) ?? ''
  const code = EXIT_CODE.exec(output)?.[1]
  // Stopped by a person, or by its time limit: that is no failure of the command.
  if (code === undefined) return undefined
  const error = `Exit code ${code}\n${output.replace(EXIT_CODE, '')}`
  return { ...raw, ...call, hook_event_name: 'PostToolUseFailure', error }
}
