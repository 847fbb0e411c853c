import { type AgentProgram, hasFlag, modelFlag } from './program.ts'

/** It knows no permissions: what it may not do, it must not have as a tool. */
const CAREFUL_TOOLS = 'read,edit,write,grep,find,ls'
const TOOL_FLAGS = ['--tools', '-t', '--no-tools', '-nt', '--no-builtin-tools', '-nbt'] as const

/** `pi -p`. It speaks no MCP: what memory knows is in the prompt, or in its own extension. */
export const piProgram: AgentProgram = {
  name: 'pi',
  package: '@mariozechner/pi-coding-agent',
  memoryOffer: () => 'nothing',
  start: (call) => ({
    command: [
      ...call.launcher,
      ...call.own,
      ...['-p', '--mode', 'json'],
      ...modelFlag(call),
      ...(hasFlag(call.own, ...TOOL_FLAGS) ? [] : ['--tools', CAREFUL_TOOLS]),
    ],
  }),
  refused: /^Tool bash not found/,
  allowing: `Allow it commands in loop.agent: "pi --tools ${CAREFUL_TOOLS},bash".`,
  login: 'Start pi once and run /login, or set the key of its provider.',
  trouble(_, complaint) {
    if (!/No API key found|\/login/.test(complaint)) return undefined
    return { cause: 'key', hint: piProgram.login }
  },
}
