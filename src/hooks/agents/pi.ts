import { asString, type JsonObject } from '../../text/json.ts'
import { type HookDialect, specificOutput } from './dialect.ts'
import { type ClaudeTool, translateCall } from './tool-calls.ts'

const TOOLS: Readonly<Record<string, ClaudeTool>> = {
  bash: 'Bash',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
}
const AS_THEY_ARE = new Set(['SessionStart', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SessionEnd'])
/** A command's failure says so in its last line, and nowhere else. */
const EXIT_CODE = /\n\nCommand exited with code (\d+)\s*$/

/** Our own extension calls, in our own words; only the tools are pi's. */
export const piDialect: HookDialect = {
  understand(said, { event }) {
    const raw = { ...said, hook_event_name: event }
    if (AS_THEY_ARE.has(event)) return raw
    const call = translateCall(TOOLS, said['tool_name'], said['tool_input'])
    if (!call) return undefined
    if (event === 'PreToolUse') return call.tool_name === 'Read' ? undefined : { ...raw, ...call }
    return event === 'PostToolUse' ? afterTool(raw, call) : undefined
  },
  hears: ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'],
  answer: specificOutput,
}

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
