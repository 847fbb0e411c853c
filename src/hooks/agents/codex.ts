import { asString, type JsonObject } from '../../text/json.ts'
import { endedCommand } from './codex-rollout.ts'
import type { HookDialect } from './dialect.ts'
import { specificOutput } from './dialect.ts'
import { type ClaudeTool, translateCall } from './tool-calls.ts'

/** It has taken over Claude Code's names; files are read by commands. */
const TOOLS: Readonly<Record<string, ClaudeTool>> = { Bash: 'Bash', apply_patch: 'Edit' }
const AS_THEY_ARE = new Set(['SessionStart', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SessionEnd'])

export const codexDialect: HookDialect = {
  understand(said, { event: called }) {
    const event = asString(said['hook_event_name']) ?? called
    if (AS_THEY_ARE.has(event)) return { ...said, hook_event_name: event }
    const call = translateCall(TOOLS, said['tool_name'], said['tool_input'])
    if (!call) return undefined
    if (event === 'PreToolUse') return { ...said, hook_event_name: event, ...call }
    return event === 'PostToolUse' && call.tool_name === 'Bash'
      ? afterCommand(said, call.tool_input)
      : undefined
  },
  hears: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'],
  answer(saying) {
    // A failure is no event of its own there.
    const event = saying.event === 'PostToolUseFailure' ? 'PostToolUse' : saying.event
    return specificOutput({ ...saying, event })
  },
}

/** How it came out stands in the session's own file, which is written before the hook is called. */
function afterCommand(said: JsonObject, tool_input: JsonObject): JsonObject | undefined {
  const ended = endedCommand(asString(said['transcript_path']), asString(said['tool_use_id']))
  if (!ended) return undefined
  if (ended.exitCode !== 0) {
    const error = `Exit code ${ended.exitCode}\n${asString(said['tool_response']) ?? ''}`
    return { ...said, hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input, error }
  }
  const read = { tool_name: 'Read', tool_input: { file_paths: ended.read } }
  return ended.read.length > 0 ? { ...said, hook_event_name: 'PostToolUse', ...read } : undefined
}
