import { userHomeFolder } from '../../files/user-home.ts'
import { asObject, asString, type JsonObject } from '../../text/json.ts'
import { sessionById, sessionPlaces } from '../../transcripts/session-places.ts'
import { copilotAnswer, type HookDialect } from './dialect.ts'
import { type ClaudeTool, translateCall } from './tool-calls.ts'

const TOOLS: Readonly<Record<string, ClaudeTool>> = {
  bash: 'Bash',
  powershell: 'Bash',
  view: 'Read',
  edit: 'Edit',
  create: 'Write',
  apply_patch: 'Edit',
}
/** What it says of itself has no name of the event: the call has. */
const EVENTS: Readonly<Record<string, string>> = {
  sessionStart: 'SessionStart',
  userPromptSubmitted: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  preCompact: 'PreCompact',
  agentStop: 'Stop',
  sessionEnd: 'SessionEnd',
}
/** A command that failed is a success of the tool. */
const EXIT_CODE = /<shellId: [^<>]{0,200} completed with exit code (-?\d+)>\s*$/

export const copilotDialect: HookDialect = {
  understand(said, { event, env }) {
    const ours = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined
    const sessionId = asString(said['sessionId'])
    if (ours === undefined || sessionId === undefined) return undefined
    const raw = {
      session_id: sessionId,
      cwd: said['cwd'],
      transcript_path: asString(said['transcriptPath']) ?? transcriptOf(sessionId, env),
      source: said['source'],
      prompt: said['prompt'],
      hook_event_name: ours,
    }
    if (ours !== 'PreToolUse' && ours !== 'PostToolUse') return raw
    const call = translateCall(TOOLS, said['toolName'], said['toolArgs'])
    if (!call) return undefined
    if (ours === 'PreToolUse') return { ...raw, ...call }
    return call.tool_name === 'Bash' ? afterCommand(raw, call, said['toolResult']) : undefined
  },
  hears: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUseFailure'],
  answer: copilotAnswer,
}

function afterCommand(raw: JsonObject, call: object, result: unknown): JsonObject | undefined {
  const output = asString(asObject(result)?.['textResultForLlm']) ?? ''
  const code = EXIT_CODE.exec(output)?.[1]
  if (code === undefined || code === '0') return undefined
  const error = `Exit code ${code}\n${output.replace(EXIT_CODE, '')}`
  return { ...raw, ...call, hook_event_name: 'PostToolUseFailure', error }
}

/** It names the file only at the end of a turn; until then it is where it always is. */
function transcriptOf(sessionId: string, env: NodeJS.ProcessEnv): string | undefined {
  const home = userHomeFolder()
  return home === undefined ? undefined : sessionById('copilot', sessionPlaces(env, home).copilot, sessionId)
}
