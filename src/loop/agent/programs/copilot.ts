import { type AgentProgram, flagValue, hasFlag, MCP_SERVER_NAME, modelFlag } from './program.ts'

/**
 * `copilot` with its prompt on standard input. It edits files of the project, and runs the commands that it holds to be
 * harmless; whatever else it would ask for is denied.
 */
export const copilotProgram: AgentProgram = {
  name: 'copilot',
  package: '@github/copilot',
  memoryOffer(own) {
    const denied = [flagValue(own, '--deny-tool'), flagValue(own, '--disable-mcp-server')]
    if (denied.includes(MCP_SERVER_NAME)) return 'nothing'
    return isPlan(own) ? 'reading' : 'everything'
  },
  start: (call) => ({
    command: [
      ...call.launcher,
      ...call.own,
      ...['--output-format', 'json', '--no-color', '--no-ask-user'],
      ...modelFlag(call),
      ...(isPlan(call.own) ? [] : ['--allow-tool=write']),
      `--allow-tool=${MCP_SERVER_NAME}`,
      ...['--additional-mcp-config', `@${call.mcpConfig}`],
    ],
  }),
  mcpFile: (servers) => ({
    mcpServers: Object.fromEntries(
      Object.entries(servers).map(([name, { type: _, alwaysLoad: __, ...server }]) => [
        name,
        { type: server.command === undefined ? 'http' : 'local', tools: ['*'], ...server },
      ]),
    ),
  }),
  refused: /permission denied|could not request permission|denied by/i,
  allowing: 'Allow more in loop.agent, e.g. "copilot --allow-tool=shell(npm:*)" or "--allow-all-tools".',
  login: 'Start copilot once and run /login, or set COPILOT_GITHUB_TOKEN.',
  trouble(_, complaint) {
    if (!/No authentication information/i.test(complaint)) return undefined
    return { cause: 'key', hint: copilotProgram.login }
  },
}

function isPlan(own: readonly string[]): boolean {
  return hasFlag(own, '--plan') || flagValue(own, '--mode') === 'plan'
}
