import type { McpServer } from '../../../board/discipline.ts'
import {
  type AgentProgram,
  flagValue,
  hasFlag,
  MCP_SERVER_NAME,
  modelFlag,
  ourVariables,
  type ProgramCall,
  withoutSubcommand,
} from './program.ts'

const SANDBOX_FLAGS = [
  ...['--sandbox', '-s', '--approve-for-me', '--full-auto', '--yolo'],
  '--dangerously-bypass-approvals-and-sandbox',
] as const
/** `-c sandbox_mode=…` says the same. */
const SANDBOX_SETTING = /^(?:sandbox_mode|default_permissions)\b/
/** Starting a server on a busy machine takes longer than Codex waits by itself. */
const STARTUP_SECONDS = 30

/**
 * `codex exec`. Its sandbox is what makes it careful: in `workspace-write` it edits files of the project and runs commands
 * that can write nowhere else and reach no network. Nobody is asked in `exec`.
 */
export const codexProgram: AgentProgram = {
  name: 'codex',
  package: '@openai/codex',
  memoryOffer: (own) => (flagValue(own, '--sandbox', '-s') === 'read-only' ? 'reading' : 'everything'),
  start(call) {
    const own = withoutSubcommand(call.own, 'exec', 'e')
    const { settings, env } = serverSettings(call)
    const command = [
      ...call.launcher,
      ...['exec', ...own, '--json', ...modelFlag(call)],
      ...(choosesSandbox(own) ? [] : ['--sandbox', 'workspace-write']),
      // Whoever starts a loop in a folder has chosen it; the board is guarded with git or without.
      ...(hasFlag(own, '--skip-git-repo-check') ? [] : ['--skip-git-repo-check']),
      ...settings.flatMap((setting) => ['-c', setting]),
      '-',
    ]
    return { command, env }
  },
  refused:
    /rejected by user approval|blocked by (?:read-only )?sandbox|operation not permitted|read-only file system/i,
  allowing: 'Allow more in loop.agent, e.g. "codex --sandbox danger-full-access", or in its own settings.',
  login: 'codex login',
}

function choosesSandbox(own: readonly string[]): boolean {
  const settings = own.filter((_, index) => ['-c', '--config'].includes(own[index - 1] ?? ''))
  return hasFlag(own, ...SANDBOX_FLAGS) || settings.some((setting) => SANDBOX_SETTING.test(setting))
}

/**
 * Servers as settings of this run alone: the project's own file counts only where Codex trusts the project. What may be
 * secret goes by the environment: everybody on the machine can read a command line.
 */
function serverSettings({ servers, env }: ProgramCall): { settings: string[]; env: Record<string, string> } {
  const settings: string[] = []
  const secrets: Record<string, string> = {}
  for (const [name, server] of Object.entries(servers)) {
    const set = (key: string, value: unknown) =>
      settings.push(`mcp_servers.${name}.${key}=${tomlValue(value)}`)
    if (server.command === undefined) {
      set('url', server.url)
      const headers = Object.entries(textsOf(server, 'headers'))
      if (headers.length === 0) continue
      const variables = headers.map(([header, value], index) => {
        const variable = `RALPH_MCP_${name.toUpperCase().replace(/\W/g, '_')}_${index}`
        secrets[variable] = value
        return [header, variable] as const
      })
      set('env_http_headers', Object.fromEntries(variables))
      continue
    }
    set('command', server.command)
    set('args', server.args ?? [])
    set('startup_timeout_sec', STARTUP_SECONDS)
    const given = textsOf(server, 'env')
    Object.assign(secrets, given)
    const handedOn = [...Object.keys(given), ...(name === MCP_SERVER_NAME ? ourVariables(env) : [])]
    if (handedOn.length > 0) set('env_vars', handedOn)
  }
  return { settings, env: secrets }
}

function textsOf(server: McpServer, key: string): Record<string, string> {
  const value = server[key]
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
}

/** As JSON, which TOML takes too, but for the colons of tables. */
function tomlValue(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)} = ${tomlValue(item)}`)
  return `{ ${entries.join(', ')} }`
}
