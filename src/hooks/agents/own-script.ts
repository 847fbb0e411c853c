import type { JsonObject } from '../../text/json.ts'
import { type HookCall, type HookDialect, specificOutput } from './dialect.ts'
import { type ClaudeTool, type TranslatedCall, translateCall } from './tool-calls.ts'

interface OwnScript {
  /** The program's own, by what Claude Code calls them. */
  tools: Readonly<Record<string, ClaudeTool>>
  /** Events that are told in our words as they are. */
  asTheyAre: ReadonlySet<string>
  /** What is known beside what the script says. */
  adds?: (said: JsonObject, call: HookCall) => JsonObject
  /** What came of a call; undefined where that says nothing to us. */
  afterTool(raw: JsonObject, call: TranslatedCall): JsonObject | undefined
}

/** Where a script of ours runs inside the program and calls, it does so in our own words; only the tools are the program's. */
export function ownScriptDialect({ tools, asTheyAre, adds, afterTool }: OwnScript): HookDialect {
  return {
    understand(said, call) {
      const raw = { ...said, ...adds?.(said, call), hook_event_name: call.event }
      if (asTheyAre.has(call.event)) return raw
      const translated = translateCall(tools, said['tool_name'], said['tool_input'])
      if (!translated) return undefined
      if (call.event === 'PreToolUse')
        return translated.tool_name === 'Read' ? undefined : { ...raw, ...translated }
      return call.event === 'PostToolUse' ? afterTool(raw, translated) : undefined
    },
    hears: ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'],
    answer: specificOutput,
  }
}
