import { join, resolve } from 'node:path'
import type { AgentName } from './agents.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where Claude Code keeps its settings and sessions. */
export function claudeFolder(env: Environment, userHome: string): string {
  return env['CLAUDE_CONFIG_DIR'] || join(userHome, '.claude')
}

/** Where each agent's program keeps its sessions, told otherwise by the variables that it honours itself. */
export function sessionPlaces(env: Environment, userHome: string): Record<AgentName, string> {
  const data = env['XDG_DATA_HOME'] || join(userHome, '.local', 'share')
  return {
    'claude-code': join(claudeFolder(env, userHome), 'projects'),
    codex: join(env['CODEX_HOME'] || join(userHome, '.codex'), 'sessions'),
    gemini: join(env['GEMINI_CLI_HOME'] || userHome, '.gemini', 'tmp'),
    opencode: resolve(data, 'opencode', env['OPENCODE_DB'] || 'opencode.db'),
    qwen: join(env['QWEN_RUNTIME_DIR'] || env['QWEN_HOME'] || join(userHome, '.qwen'), 'projects'),
    copilot: join(userHome, '.copilot', 'session-state'),
    pi:
      env['PI_CODING_AGENT_SESSION_DIR'] ||
      join(env['PI_CODING_AGENT_DIR'] || join(userHome, '.pi', 'agent'), 'sessions'),
  }
}

/** The session with this id, where the id alone tells where it lies: its file, or its address in the database. */
export function sessionById(agent: 'opencode' | 'copilot', place: string, id: string): string | undefined {
  if (!/^[\w-]{1,100}$/.test(id)) return undefined
  return agent === 'opencode' ? addressOf(place, id) : join(place, id, 'events.jsonl')
}

/** The address of a session in opencode's database. */
export function addressOf(database: string, sessionId: string): string {
  return `${database}#${sessionId}`
}
