import type { AgentName } from './agents.ts'
import type { SessionStore } from './session-store.ts'

/** Loaded one by one: most people use one or two agents. */
export const SESSION_STORES: Partial<Record<AgentName, () => Promise<SessionStore>>> = {
  'claude-code': async () => (await import('./claude-code/session-files.ts')).claudeCodeSessions,
  codex: async () => (await import('./codex/rollout-files.ts')).codexSessions,
  gemini: async () => (await import('./gemini/session-files.ts')).geminiSessions,
  qwen: async () => (await import('./qwen/session-files.ts')).qwenSessions,
  pi: async () => (await import('./pi/session-files.ts')).piSessions,
}
