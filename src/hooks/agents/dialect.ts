import type { JsonObject } from '../../text/json.ts'
import type { AgentName } from '../../transcripts/agents.ts'

/** What a hook was called with, beside what it was told on standard input. */
export interface HookCall {
  /** As the program that calls it names its event. */
  event: string
  env: NodeJS.ProcessEnv
}

/** What is to be said to the model. */
export interface HookSaying {
  /** In our words, and as the program named it. */
  event: string
  said: JsonObject
  call: HookCall
  text: string
  /** The tool call is held back, with the text as the reason. */
  stops: boolean
}

/**
 * How one program speaks to its hooks, and is spoken to. Ours are the words of Claude Code: another program's are put into
 * them, and our answer into its own form.
 */
export interface HookDialect {
  /** Undefined for what we do not listen to. */
  understand(said: JsonObject, call: HookCall): JsonObject | undefined
  /** Our events on which the program lets a hook add something for the model; elsewhere what is said would be lost. */
  hears: readonly string[]
  answer(saying: HookSaying): object
}

/** Loaded one by one: a hook serves one program. */
const DIALECTS: Readonly<Record<Exclude<AgentName, 'claude-code'>, () => Promise<HookDialect>>> = {
  codex: async () => (await import('./codex.ts')).codexDialect,
  gemini: async () => (await import('./gemini.ts')).geminiDialect,
  qwen: async () => (await import('./qwen.ts')).qwenDialect,
  copilot: async () => (await import('./copilot.ts')).copilotDialect,
  opencode: async () => (await import('./opencode.ts')).opencodeDialect,
  pi: async () => (await import('./pi.ts')).piDialect,
}

export function hasDialect(agent: string): agent is keyof typeof DIALECTS {
  return Object.hasOwn(DIALECTS, agent)
}

export function dialectOf(agent: keyof typeof DIALECTS): Promise<HookDialect> {
  return DIALECTS[agent]()
}

type Said = Pick<HookSaying, 'event' | 'text' | 'stops'>

/** As Claude Code wants it, and those who took its form over. */
export function specificOutput(saying: Said): object {
  return { hookSpecificOutput: { hookEventName: saying.event, ...copilotAnswer(saying) } }
}

/** As Copilot wants it. */
export function copilotAnswer({ text, stops }: Said): object {
  return stops ? { permissionDecision: 'deny', permissionDecisionReason: text } : { additionalContext: text }
}
