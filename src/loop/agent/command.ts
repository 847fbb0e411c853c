import { claudeCodeProgram } from './programs/claude-code.ts'
import {
  type AgentProgram,
  flagValue,
  MCP_SERVER_NAME,
  type MemoryOffer,
  MODEL_FLAGS,
  type ProgramStart,
  type Servers,
} from './programs/program.ts'
import { namedProgram } from './programs/programs.ts'

export { MCP_SERVER_NAME, type MemoryOffer }

/** How one run of the agent is started. */
export interface AgentCall {
  /** The configured command, e.g. `['codex', '--model', 'gpt-6']`. */
  agent: readonly string[]
  mcpConfig: string
  promptFile: string
  model?: string | undefined
  /** Dollars this run may cost. */
  maxCost?: number | undefined
  /** The MCP servers of this run, by name. */
  servers: Servers
  env: NodeJS.ProcessEnv
}

const PLACEHOLDER = /\{(prompt_file|mcp_config|model|max_cost)\}/g

function hasPlaceholder(agent: readonly string[]): boolean {
  return agent.some((word) => new RegExp(PLACEHOLDER.source).test(word))
}

/** Whose program a command starts, if it is one of those we know and its words are not all a person's own. */
export function agentProgram(agent: readonly string[]): AgentProgram | undefined {
  return hasPlaceholder(agent) ? undefined : namedProgram(agent).program
}

/** What of memory an agent started by this command can call. */
export function memoryOffer(agent: readonly string[], env: NodeJS.ProcessEnv = {}): MemoryOffer {
  if (hasPlaceholder(agent)) return agent.join(' ').includes('{mcp_config}') ? 'everything' : 'nothing'
  const { program = claudeCodeProgram, own } = namedProgram(agent)
  return program.memoryOffer(own, env)
}

/**
 * The command line, with the flags that the agent's program needs; of one we do not know, those of `claude`. A command with
 * placeholders ({prompt_file}, {mcp_config}, {model}, {max_cost}) is taken as it is.
 */
export function agentStart(call: AgentCall): ProgramStart {
  if (hasPlaceholder(call.agent)) return { command: filled(call) }
  const { program = claudeCodeProgram, launcher, own } = namedProgram(call.agent)
  return program.start({ ...call, launcher, own })
}

function filled({ agent, promptFile, mcpConfig, model, maxCost }: AgentCall): string[] {
  const values: Record<string, string> = {
    prompt_file: promptFile,
    mcp_config: mcpConfig,
    model: model ?? '',
    max_cost: maxCost?.toString() ?? '',
  }
  return agent.map((word) => word.replace(PLACEHOLDER, (_, name: string) => values[name]!))
}

/** The model a run uses as far as its command tells: not every program says it. */
export function modelOf({ agent, model }: Pick<AgentCall, 'agent' | 'model'>): string | undefined {
  return flagValue(agent, ...MODEL_FLAGS) ?? model
}
