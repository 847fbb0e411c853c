/** How one run of the agent is started. */
export interface AgentCall {
  /** The configured command, e.g. `['claude', '--dangerously-skip-permissions']`. */
  agent: readonly string[]
  mcpConfig: string
  promptFile: string
  model?: string | undefined
  /** Dollars this run may cost. */
  maxCost?: number | undefined
}

/** Under which name our MCP server runs in the agent; its tools are `mcp__ralph__…` there. */
export const MCP_SERVER_NAME = 'ralph'

const PLACEHOLDER = /\{(prompt_file|mcp_config|model|max_cost)\}/g
const MEMORY_TOOLS = `mcp__${MCP_SERVER_NAME}`
const DISALLOWED = new RegExp(`--disallowed-?tools[= ][^-]*\\b${MEMORY_TOOLS}(?!_)`, 'i')
const PLAN_MODE = /--permission-mode[= ]plan\b/

/** What of memory an agent started by this command can call: in plan mode it changes nothing, there neither. */
export type MemoryOffer = 'everything' | 'reading' | 'nothing'

export function memoryOffer(agent: readonly string[]): MemoryOffer {
  const line = agent.join(' ')
  const itsOwn = new RegExp(PLACEHOLDER.source).test(line)
  if (itsOwn ? !line.includes('{mcp_config}') : DISALLOWED.test(line)) return 'nothing'
  return !itsOwn && PLAN_MODE.test(line) ? 'reading' : 'everything'
}

const PERMISSION_FLAGS = /^--(dangerously-skip-permissions|permission-mode|restricted)\b/

/**
 * The command line. By default the flags of the `claude` program are added and the prompt goes to its standard input;
 * a command with placeholders ({prompt_file}, {mcp_config}, {model}, {max_cost}) is taken as it is.
 */
export function commandLine(call: AgentCall): string[] {
  const values: Record<string, string> = {
    prompt_file: call.promptFile,
    mcp_config: call.mcpConfig,
    model: call.model ?? '',
    max_cost: call.maxCost?.toString() ?? '',
  }
  const filled = call.agent.map((word) => word.replace(PLACEHOLDER, (_, name: string) => values[name]!))
  if (filled.some((word, index) => word !== call.agent[index])) return filled
  return [...filled, ...claudeFlags(call)]
}

function claudeFlags({ agent, mcpConfig, model, maxCost }: AgentCall): string[] {
  const has = (pattern: RegExp) => agent.some((word) => pattern.test(word))
  const flags = ['-p', '--output-format', 'stream-json', '--verbose', '--mcp-config', mcpConfig]
  if (model !== undefined && !has(/^--model\b/)) flags.push('--model', model)
  if (maxCost !== undefined && !has(/^--max-budget-usd\b/)) flags.push('--max-budget-usd', maxCost.toFixed(4))
  // Nobody is there to be asked: without a mode of the user's choice the agent may at least edit files.
  if (!has(PERMISSION_FLAGS)) flags.push('--permission-mode', 'acceptEdits')
  // Added to what the user's own settings and flags allow.
  flags.push('--allowedTools', MEMORY_TOOLS)
  return flags
}
