import { type AgentProgram, hasFlag, MCP_SERVER_NAME, type MemoryOffer, type ProgramCall } from './program.ts'

const MEMORY_TOOLS = `mcp__${MCP_SERVER_NAME}`
const DISALLOWED = new RegExp(`--disallowed-?tools[= ][^-]*\\b${MEMORY_TOOLS}(?!_)`, 'i')
const PLAN_MODE = /--permission-mode[= ]plan\b/
const PERMISSION_FLAGS = ['--dangerously-skip-permissions', '--permission-mode', '--restricted'] as const

/** `claude -p`; also whatever else a person names as the agent and that is none of the others. */
export const claudeCodeProgram: AgentProgram = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  reviewModel: 'opus',
  memoryOffer(own): MemoryOffer {
    const line = own.join(' ')
    if (DISALLOWED.test(line)) return 'nothing'
    return PLAN_MODE.test(line) ? 'reading' : 'everything'
  },
  start: (call) => ({ command: [...call.launcher, ...call.own, ...flags(call)] }),
  refused: /requires approval|permission to use \w+|haven't granted|not allowed by (?:your )?permission/i,
  allowing:
    'Allow them in its settings or in loop.agent, e.g. "--allowedTools Bash(npm *)" or "--permission-mode".',
  login: 'claude /login',
}

function flags({ own, mcpConfig, model, maxCost }: ProgramCall): string[] {
  return [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--mcp-config', mcpConfig],
    ...(model !== undefined && !hasFlag(own, '--model') ? ['--model', model] : []),
    ...(maxCost !== undefined && !hasFlag(own, '--max-budget-usd')
      ? ['--max-budget-usd', maxCost.toFixed(4)]
      : []),
    // Nobody is there to be asked: without a mode of the user's choice the agent may at least edit files.
    ...(hasFlag(own, ...PERMISSION_FLAGS) ? [] : ['--permission-mode', 'acceptEdits']),
    // Added to what the user's own settings and flags allow.
    ...['--allowedTools', MEMORY_TOOLS],
  ]
}
