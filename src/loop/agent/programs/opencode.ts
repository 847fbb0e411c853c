import type { McpServer } from '../../../board/discipline.ts'
import { type JsonObject, parseObject } from '../../../text/json.ts'
import {
  type AgentProgram,
  flagValue,
  hasFlag,
  modelFlag,
  type ProgramCall,
  withoutSubcommand,
} from './program.ts'

/**
 * opencode allows everything by itself. Denied, not asked for: a question that nobody answers ends its run.
 */
const CAREFUL = {
  bash: 'deny',
  webfetch: 'deny',
  websearch: 'deny',
  external_directory: 'deny',
  doom_loop: 'deny',
}

/** `opencode run`. What holds for the run alone goes by its environment. */
export const opencodeProgram: AgentProgram = {
  name: 'opencode',
  package: 'opencode-ai',
  memoryOffer: (own) => (flagValue(own, '--agent') === 'plan' ? 'reading' : 'everything'),
  start: (call) => ({
    command: [
      ...call.launcher,
      'run',
      ...withoutSubcommand(call.own, 'run'),
      ...['--format', 'json'],
      ...modelFlag(call),
    ],
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(settingsOf(call)) },
  }),
  refused: /rejected permission|rule which prevents you from using|unavailable tool '(?:bash|webfetch)'/i,
  allowing: 'Allow more in loop.agent: "opencode --auto" for everything that its settings do not deny.',
  login: 'opencode auth login',
}

function settingsOf({ own, servers, env }: ProgramCall): JsonObject {
  const given = parseObject(env['OPENCODE_CONFIG_CONTENT'] ?? '') ?? {}
  const chosen = hasFlag(own, '--auto', '--agent') || Boolean(env['OPENCODE_PERMISSION'])
  const mcp = Object.entries(servers).map(([name, server]) => [name, entryOf(server)])
  return {
    ...given,
    mcp: { ...(given['mcp'] as object | undefined), ...Object.fromEntries(mcp) },
    ...(!chosen && { permission: { ...CAREFUL, ...(given['permission'] as object | undefined) } }),
  }
}

function entryOf({ command, url, args, env, headers }: McpServer): object {
  if (command === undefined)
    return { type: 'remote', url, ...(headers !== undefined && { headers }), enabled: true }
  return {
    type: 'local',
    command: [command, ...((args as string[] | undefined) ?? [])],
    ...(env !== undefined && { environment: env }),
    enabled: true,
  }
}
