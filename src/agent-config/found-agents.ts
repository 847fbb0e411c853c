import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { AGENTS, type AgentName } from '../transcripts/agents.ts'
import { MCP_CLIENT_NAMES, MCP_CLIENTS, type McpClient, type McpClientName } from './clients.ts'
import { HOOKED_AGENTS, type HookedAgent } from './programs/programs.ts'

export interface FoundAgent {
  client: McpClientName
  label: string
  scope: McpClient['scope']
  /** The program, the folder or the file that tells of it. */
  by: string
}

export interface AgentPlaces {
  project: string
  userHome: string
  /** Claude Code's own folder, which may lie elsewhere. */
  claudeDir: string
  /** Where programs are looked for. */
  searchPath: string | undefined
}

/** The agents that whoever works here seems to use, by looking at files alone: nothing is started. */
export function findAgents(places: AgentPlaces): FoundAgent[] {
  return MCP_CLIENT_NAMES.flatMap((client) => {
    const { label, scope }: McpClient = MCP_CLIENTS[client]
    const by =
      traceOf(MCP_CLIENTS[client], places) ??
      (client === 'claude-code' && existsSync(places.claudeDir) ? places.claudeDir : undefined)
    return by === undefined ? [] : [{ client, label, scope, by }]
  })
}

/** Those of the agents with hooks that somebody here seems to use: by their program, or by what it has left. */
export function findHookedAgents({
  sessionPlaces,
  searchPath,
}: {
  sessionPlaces: Readonly<Record<AgentName, string>>
  searchPath: string | undefined
}): HookedAgent[] {
  return HOOKED_AGENTS.filter(
    (agent) =>
      programFile(AGENTS[agent].program, searchPath) !== undefined ||
      existsSync(dirname(sessionPlaces[agent])),
  )
}

function traceOf(
  { programs, traces, scope, file, folderOfOthers = false }: McpClient,
  { project, userHome, searchPath }: AgentPlaces,
): string | undefined {
  const own = file({ project, userHome })
  // A folder of its own in the project tells as well; the project itself tells nothing.
  const hasFolder = scope === 'project' && dirname(own) !== project && !folderOfOthers
  const inProject = hasFolder ? dirname(own) : own
  return [
    ...programs.flatMap((name) => programFile(name, searchPath) ?? []),
    ...traces.map((name) => join(userHome, name)),
    inProject,
  ].find((path) => existsSync(path))
}

/** Where the search path leads for the name of a program. */
export function programFile(
  name: string,
  searchPath: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const names = platform === 'win32' ? ['.exe', '.cmd', '.bat', '.ps1'].map((end) => name + end) : [name]
  return (searchPath ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((one) => join(folder, one)))
    .find((path) => existsSync(path))
}
