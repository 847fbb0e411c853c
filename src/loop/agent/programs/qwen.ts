import { geminiOffer } from './gemini.ts'
import { type AgentProgram, hasFlag, MCP_SERVER_NAME, modelFlag } from './program.ts'

const TURNS_USED_UP = 53
const LIMIT_REACHED = 55

/** `qwen`, as Gemini CLI, but for servers: those it takes from a file that a flag names. */
export const qwenProgram: AgentProgram = {
  name: 'qwen',
  package: '@qwen-code/qwen-code',
  memoryOffer: (own) =>
    hasFlag(own, '--mcp-config', '--safe-mode', '--bare') ? 'nothing' : geminiOffer(own),
  start: (call) => ({
    command: [
      ...call.launcher,
      ...call.own,
      ...['--output-format', 'stream-json'],
      ...modelFlag(call),
      ...(hasFlag(call.own, '--approval-mode', '--yolo', '-y') ? [] : ['--approval-mode', 'auto-edit']),
      ...(hasFlag(call.own, '--mcp-config') ? [] : ['--mcp-config', call.mcpConfig]),
    ],
  }),
  mcpFile: (servers) => ({
    mcpServers: Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [
        name,
        server.command === undefined
          ? { httpUrl: server.url, headers: server['headers'] }
          : { ...server, ...(name === MCP_SERVER_NAME && { trust: true }) },
      ]),
    ),
  }),
  refused:
    /Tool "(?:run_shell_command|write_file|edit|web_fetch)" not found|requires permission|permission denied by|declined/i,
  allowing: 'Allow more in loop.agent, e.g. "qwen --yolo" for everything or "qwen --allowed-tools …".',
  login: 'Start qwen once and log in, or set its key (OPENAI_API_KEY with --auth-type openai).',
  trouble(exitCode) {
    if (exitCode === TURNS_USED_UP)
      return { cause: 'turns', hint: 'Raise --max-session-turns in loop.agent.' }
    if (exitCode !== LIMIT_REACHED) return undefined
    return { cause: 'budget', hint: 'Raise --max-wall-time or --max-tool-calls in loop.agent.' }
  },
}
