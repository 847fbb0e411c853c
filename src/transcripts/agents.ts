/** The agents whose runs and sessions can be read, as records, settings and flags name them. */
export const AGENTS = {
  'claude-code': { label: 'Claude Code', program: 'claude' },
  codex: { label: 'Codex CLI', program: 'codex' },
  gemini: { label: 'Gemini CLI', program: 'gemini' },
  opencode: { label: 'opencode', program: 'opencode' },
  qwen: { label: 'Qwen Code', program: 'qwen' },
  copilot: { label: 'GitHub Copilot CLI', program: 'copilot' },
  pi: { label: 'pi', program: 'pi' },
} as const

export type AgentName = keyof typeof AGENTS
export const AGENT_NAMES = Object.keys(AGENTS) as AgentName[]

export function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(AGENTS, name)
}

/** Whose each of several things is, in words; nothing where all that say so are the same agent's. */
export function differingAgents(names: readonly (string | undefined)[]): (string | undefined)[] {
  const different = new Set(names.filter((name) => name !== undefined)).size > 1
  return names.map((name) => (different && name !== undefined ? agentLabel(name) : undefined))
}

/** For people; a name that we do not know is its own label. */
export function agentLabel(name: string): string {
  return isAgentName(name) ? AGENTS[name].label : name
}

const ENDING = /\.(?:exe|cmd|bat|ps1|js|mjs|cjs)$/i

/** Which agent a command starts, by its first word: our name for it, its program, or a path to that. */
export function agentCalled(command: string): AgentName | undefined {
  if (isAgentName(command)) return command
  // Of a path of either kind of system; without Node's own, since pages of the dashboard load this.
  const program = command.split(/[\\/]/).at(-1)!.replace(ENDING, '').toLowerCase()
  return AGENT_NAMES.find((name) => AGENTS[name].program === program)
}
