import { userHomeFolder } from '../../files/user-home.ts'
import { asNumber, asString, type JsonObject } from '../../text/json.ts'
import { sessionById, sessionPlaces } from '../../transcripts/session-places.ts'
import { type HookDialect, specificOutput } from './dialect.ts'
import { type ClaudeTool, translateCall } from './tool-calls.ts'

const TOOLS: Readonly<Record<string, ClaudeTool>> = {
  bash: 'Bash',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
  apply_patch: 'Edit',
  patch: 'Edit',
}
const AS_THEY_ARE = new Set(['UserPromptSubmit', 'Stop', 'SessionEnd'])

/** Our own plugin calls, in our own words; only the tools are opencode's. */
export const opencodeDialect: HookDialect = {
  understand(said, { event, env }) {
    const raw = { ...said, transcript_path: addressIn(said, env), hook_event_name: event }
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
  if (call.tool_name === 'Read') return { ...raw, ...call }
  const code = asNumber(raw['exit_code'])
  if (call.tool_name !== 'Bash' || code === undefined || code === 0) return undefined
  const error = `Exit code ${code}\n${String(raw['output'] ?? '')}`
  return { ...raw, ...call, hook_event_name: 'PostToolUseFailure', error }
}

/** All sessions lie in one database. */
function addressIn(said: JsonObject, env: NodeJS.ProcessEnv): string | undefined {
  const [home, id] = [userHomeFolder(), asString(said['session_id'])]
  if (home === undefined || id === undefined) return undefined
  return sessionById('opencode', sessionPlaces(env, home).opencode, id)
}
