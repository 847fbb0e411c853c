import { existsSync } from 'node:fs'
import { messageOf } from '../errors.ts'
import type { AgentName } from '../transcripts/agents.ts'
import {
  type AgentHooksPlace,
  agentHooksFile,
  foundAgentHooks,
  HOOKED_AGENTS,
  PROGRAM_SCOPES,
} from './agent-hooks.ts'
import {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
  type HookScope,
  hooksFile,
  type InstalledHook,
  installedHooks,
} from './claude-hooks.ts'
import { isNewestHookLine } from './hook-line.ts'
import { configuredServer } from './hook-server.ts'
import type { HooksPlace, HookWay } from './set-up-hooks.ts'

/** Our hooks in the settings of one scope of a program. */
export interface HooksState {
  agent: AgentName
  scope: HookScope
  file: string
  events: string[]
  /** Whether a server answers those that one can. */
  way?: HookWay
  /** Programs the hooks call that are not there (any more). */
  missing: string[]
  /** Some are not there, or are spelled as an earlier version of ralph did. */
  outdated: boolean
  /** `ralph` is called from the search path. */
  portable: boolean
  /** Why the file cannot be read, or its hooks cannot work. */
  problem?: string
}

const NO_SERVER =
  'the MCP server that answers them is not set up → ralph mcp config --write, or ralph hooks install --via command'

type StatePlace = HooksPlace & Pick<AgentHooksPlace, 'sessionPlaces'> & { searchPath: string | undefined }

/** Of Claude Code in every scope; of other programs wherever some of ours are, or a file cannot be read. */
export async function hooksStates(place: StatePlace): Promise<HooksState[]> {
  const ofClaude = await Promise.all(HOOK_SCOPES.map((scope) => claudeHooksState(place, scope)))
  const others = HOOKED_AGENTS.flatMap((agent) =>
    PROGRAM_SCOPES.map((scope) => agentHooksState({ ...place, agent, scope })),
  )
  const found = (await Promise.all(others)).filter(({ events, problem }) => events.length > 0 || problem)
  return [...ofClaude, ...found]
}

/** One broken file does not hide what the others say: what is wrong with it is in the state. */
async function agentHooksState(place: AgentHooksPlace): Promise<HooksState> {
  const { agent, scope } = place
  const file = agentHooksFile(place)
  const none = { agent, scope, file, events: [], missing: [], outdated: false, portable: false }
  try {
    const found = await foundAgentHooks(place)
    if (!found) return none
    const { events, files, newest } = found
    return {
      ...none,
      events,
      way: 'command',
      missing: [...new Set(files)].filter((path) => !existsSync(path)),
      outdated: !newest,
      portable: files.length === 0,
    }
  } catch (error) {
    return { ...none, problem: messageOf(error) }
  }
}

async function claudeHooksState(place: StatePlace, scope: HookScope): Promise<HooksState> {
  const file = hooksFile(scope, place)
  const agent = 'claude-code'
  const none = { agent, scope, file, events: [], missing: [], outdated: false, portable: false } as const
  let installed: InstalledHook[] = []
  try {
    installed = (await installedHooks({ ...place, file })) ?? []
  } catch (error) {
    return { ...none, events: [], missing: [], problem: messageOf(error) }
  }
  if (installed.length === 0) return { ...none, events: [], missing: [] }
  const served = installed.some(({ server }) => server !== undefined)
  const lacks = served && !configuredServer({ ...place, scope })
  const commands = installed.flatMap(({ command }) => command ?? [])
  const events = installed.map(({ event }) => event)
  return {
    agent,
    scope,
    file,
    events,
    way: served ? 'server' : 'command',
    missing: [...new Set(installed.flatMap(({ files }) => files))].filter((path) => !existsSync(path)),
    outdated:
      CLAUDE_HOOKS.some(({ event }) => !events.includes(event)) ||
      commands.some((command) => !isNewestHookLine(command)),
    portable: commands.length > 0 && installed.every(({ files }) => files.length === 0),
    ...(lacks && { problem: NO_SERVER }),
  }
}
