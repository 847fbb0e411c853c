import { userHomeFolder } from '../../files/user-home.ts'
import { asNumber, asString, type JsonObject } from '../../text/json.ts'
import { sessionById, sessionPlaces } from '../../transcripts/session-places.ts'
import { ownScriptDialect } from './own-script.ts'
import type { ClaudeTool } from './tool-calls.ts'

const TOOLS: Readonly<Record<string, ClaudeTool>> = {
  bash: 'Bash',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
  apply_patch: 'Edit',
  patch: 'Edit',
}

/** Our own plugin calls. */
export const opencodeDialect = ownScriptDialect({
  tools: TOOLS,
  asTheyAre: new Set(['UserPromptSubmit', 'Stop', 'SessionEnd']),
  adds: (said, { env }) => ({ transcript_path: addressIn(said, env) }),
  afterTool,
})

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
