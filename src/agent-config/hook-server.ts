import { isAbsolute, join } from 'node:path'
import { readOwnFile } from '../files/own-files.ts'
import { realPath } from '../files/project-path.ts'
import { asObject, asString, isObject, strings } from '../text/json.ts'
import { getIn } from '../text/jsonc-edit.ts'
import { oneLine } from '../text/truncate.ts'
import { packageRoot } from '../version.ts'
import { programFile } from './found-agents.ts'
import { mcpConfigFor, SERVER_NAME } from './mcp-config.ts'
import { ralphProgram } from './ralph-command.ts'

/** Through which settings hooks come, and what is known of this machine. */
export interface HookServerSearch {
  /** `project`: others use the file too. `user`: it holds in all projects. */
  scope: 'project' | 'local' | 'user'
  project: string
  claudeDir: string
  userHome: string
  searchPath: string | undefined
  claudeVersion: () => string | undefined
}

/** A server of ours that is sure to be connected when a hook needs it. */
export interface HookServer {
  name: string
  /** It comes from the project's file: Claude Code asks before it starts such a one, unless the settings say that it may. */
  approve: boolean
}

export type HookServerFound = { server: HookServer } | { why: string; hint?: string }

/**
 * From this version on hooks wait for a server that is just starting. Earlier ones show an error in the session, and before
 * 2.1.118 Claude Code ignores a whole file of settings with such a hook in it, permissions included.
 */
export const LEAST_CLAUDE_CODE = '2.1.281'

/**
 * The server that can answer hooks, or why a process has to be started for each. A hook of a server that is not connected
 * shows as an error at every step of a session, so it must be certain.
 */
export function serverForHooks(search: HookServerSearch): HookServerFound {
  if (search.scope === 'project')
    return { why: 'others use this file, and may have another Claude Code or no server' }
  const server = configuredServer(search)
  if (server?.approve && isTurnedOff(search.project))
    return { why: `the MCP server ${SERVER_NAME} is turned off in .claude/settings.local.json` }
  if (!server) {
    const how =
      search.scope === 'user'
        ? `claude mcp add --scope user ${SERVER_NAME} -- ralph mcp`
        : 'ralph mcp config --write'
    return { why: whyNone(search), hint: how }
  }
  const version = search.claudeVersion()
  if (version === undefined) return { why: 'claude is not on the search path, so its version is unknown' }
  if (isOlder(version, LEAST_CLAUDE_CODE))
    return { why: `Claude Code ${version} is older than ${LEAST_CLAUDE_CODE}`, hint: 'claude update' }
  return { server }
}

type ServerPlaces = Omit<HookServerSearch, 'claudeVersion'>

/** Whether Claude Code starts a server of ours where settings of this scope hold. */
export function configuredServer(search: ServerPlaces): HookServer | undefined {
  const found = namedServers(search).find(({ entry }) => runsThisRalph(entry, search))
  return found && { name: SERVER_NAME, approve: found.approve }
}

/** Whatever goes by our name where settings of this scope hold, ours or not. */
function namedServers({
  scope,
  project,
  claudeDir,
  userHome,
}: ServerPlaces): { entry: unknown; approve: boolean }[] {
  // On Windows it spells them with slashes.
  const named = [project, project.replaceAll('\\', '/')].map((path) => ['projects', path, 'mcpServers'])
  const places = [['mcpServers'], ...(scope === 'user' ? [] : named)]
  const entries = [join(claudeDir, '.claude.json'), join(userHome, '.claude.json')].flatMap((file) =>
    places.map((place) => ({ entry: valueIn(file, [...place, SERVER_NAME]), approve: false })),
  )
  if (scope !== 'user') {
    const { file, servers } = mcpConfigFor({ client: 'claude-code', project, userHome })
    entries.push({ entry: valueIn(file, [...servers, SERVER_NAME]), approve: true })
  }
  return entries.filter(({ entry }) => isObject(entry))
}

/** None at all, or one of which nobody can tell that it is this copy: say npx, which may fetch another. */
function whyNone(search: ServerPlaces): string {
  const other = asObject(namedServers(search)[0]?.entry)
  if (!other) return 'no MCP server of ours is set up for Claude Code here'
  const line = [asString(other['command']) ?? '', ...strings(other['args'])].join(' ')
  return `the MCP server ${SERVER_NAME} that is set up here (${oneLine(line, 80)}) is not certain to start this copy of ralph`
}

/** A person who was asked has said no. */
function isTurnedOff(project: string): boolean {
  const settings = join(project, '.claude', 'settings.local.json')
  return strings(valueIn(settings, ['disabledMcpjsonServers'])).includes(SERVER_NAME)
}

/** Another program under our name, as a clone might bring it, must not be approved for it. */
function runsThisRalph(entry: unknown, { project, searchPath }: ServerPlaces): boolean {
  const { command, args, env } = asObject(entry) ?? {}
  const [first, second, third] = strings(args)
  if (isObject(env) && Object.keys(env).length > 0) return false
  if (command === 'ralph') return first === 'mcp' && programFile('ralph', searchPath) !== undefined
  // What npx takes from elsewhere is for the project's own settings of npm to say.
  if (command === 'npx' && first === '-y' && second === 'ralph-memory')
    return third === 'mcp' && samePath(join(project, 'node_modules', 'ralph-memory'), packageRoot)
  const isNode = command === 'node' || samePath(asString(command), process.execPath)
  return isNode && samePath(first, ralphProgram()) && second === 'mcp'
}

function samePath(one: string | undefined, other: string): boolean {
  return one !== undefined && isAbsolute(one) && (one === other || realPath(one) === realPath(other))
}

/** Undefined also where the file is not there, or cannot be read. */
function valueIn(file: string, path: readonly string[]): unknown {
  try {
    return getIn(readOwnFile(file).toString('utf8'), path)
  } catch {
    return undefined
  }
}

function isOlder(version: string, least: string): boolean {
  const [given, wanted] = [version, least].map((one) => one.split('.').map(Number)) as [number[], number[]]
  const at = wanted.findIndex((part, index) => given[index] !== part)
  return at >= 0 && !((given[at] ?? 0) > wanted[at]!)
}
