import { asString } from '../../text/json.ts'
import { type HookDialect, specificOutput } from './dialect.ts'
import { type ClaudeTool, translateCall } from './tool-calls.ts'

const TOOLS: Readonly<Record<string, ClaudeTool>> = {
  run_shell_command: 'Bash',
  read_file: 'Read',
  edit: 'Edit',
  write_file: 'Write',
}
const AS_THEY_ARE = new Set(['SessionStart', 'PreCompact', 'Stop', 'SessionEnd'])

/** What the program says around a failed command's own output. */
const FRAME = /^Command: [\s\S]*?\nOutput: ([\s\S]*)\nError: [\s\S]*?\nExit Code: (-?\d+)\n[\s\S]*$/

/** Claude Code's events and answers, with tools of its own. */
export const qwenDialect: HookDialect = {
  understand(said, { event: called }) {
    const event = asString(said['hook_event_name']) ?? called
    const raw = { ...said, hook_event_name: event }
    if (AS_THEY_ARE.has(event)) return raw
    // It comes before every call of the model; only the first has the person's words.
    if (event === 'UserPromptSubmit') return said['prompt'] ? raw : undefined
    const call = translateCall(TOOLS, said['tool_name'], said['tool_input'])
    if (!call) return undefined
    const isRead = call.tool_name === 'Read'
    // What is said before a tool reaches nobody, so reading is spoken of afterwards.
    if (event === 'PreToolUse') return isRead ? undefined : { ...raw, ...call }
    if (event === 'PostToolUse') return isRead ? { ...raw, ...call } : undefined
    const failed = event === 'PostToolUseFailure' && call.tool_name === 'Bash'
    return failed ? { ...raw, ...call, error: withoutFrame(said['error']) } : undefined
  },
  hears: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'],
  answer: specificOutput,
}

function withoutFrame(error: unknown): string {
  const text = asString(error) ?? ''
  return text.replace(FRAME, 'Exit code $2\n$1')
}
