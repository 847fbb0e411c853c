import { asObject, asString, type JsonObject } from '../../text/json.ts'
import { type HookDialect, specificOutput } from './dialect.ts'
import { type ClaudeTool, translateCall } from './tool-calls.ts'

const TOOLS: Readonly<Record<string, ClaudeTool>> = {
  run_shell_command: 'Bash',
  read_file: 'Read',
  replace: 'Edit',
  write_file: 'Write',
}
const EVENTS: Readonly<Record<string, string>> = {
  SessionStart: 'SessionStart',
  BeforeAgent: 'UserPromptSubmit',
  AfterAgent: 'Stop',
  SessionEnd: 'SessionEnd',
}
/** At the end, and there only when it is not 0: the tool succeeds whatever the command does. */
const EXIT_CODE =
  /\nExit Code: (-?\d+)(?:\n[A-Z][\w ]{0,40}: [^\n]{0,200}){0,4}\s{0,9}(?:<\/untrusted_context>\s{0,9})?$/

export const geminiDialect: HookDialect = {
  understand(said, { event: called }) {
    const event = asString(said['hook_event_name']) ?? called
    if (Object.hasOwn(EVENTS, event))
      return { ...said, prompt: personsWords(said['prompt']), hook_event_name: EVENTS[event] }
    const call = translateCall(TOOLS, said['tool_name'], said['tool_input'])
    // What is said before a tool reaches nobody, so reading is spoken of afterwards.
    if (call && event === 'BeforeTool' && call.tool_name !== 'Read')
      return { ...said, hook_event_name: 'PreToolUse', ...call }
    return call && event === 'AfterTool' ? afterTool(said, call) : undefined
  },
  hears: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'],
  answer({ said, call, text, stops, ...rest }) {
    if (stops) return { decision: 'deny', reason: text }
    const event = asString(said['hook_event_name']) ?? call.event
    return specificOutput({ ...rest, event, text, stops })
  },
}

function afterTool(
  said: JsonObject,
  call: { tool_name: ClaudeTool; tool_input: JsonObject },
): JsonObject | undefined {
  if (call.tool_name === 'Read') return { ...said, hook_event_name: 'PostToolUse', ...call }
  const output = asString(asObject(said['tool_response'])?.['llmContent']) ?? ''
  const code = EXIT_CODE.exec(output)?.[1]
  if (call.tool_name !== 'Bash' || code === undefined || code === '0') return undefined
  const error = `Exit code ${code}\n${withoutFrame(output)}`
  return { ...said, hook_event_name: 'PostToolUseFailure', ...call, error }
}

/** What the program puts around a command's own output. */
function withoutFrame(output: string): string {
  return output.replace(/^<untrusted_context>\s*/, '').replace(/^Output: /, '')
}

/** What a hook added at the start of the session stands before the prompt. */
function personsWords(prompt: unknown): string | undefined {
  return asString(prompt)?.replace(/^\s*<hook_context>[\s\S]*?<\/hook_context>\s*/, '')
}
