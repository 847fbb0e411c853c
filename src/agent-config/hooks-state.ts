import { existsSync } from 'node:fs'
import { messageOf } from '../errors.ts'
import {
  CLAUDE_HOOKS,
  type HookScope,
  hooksFile,
  type InstalledHook,
  installedHooks,
} from './claude-hooks.ts'
import { isNewestHookLine } from './hook-line.ts'
import { configuredServer } from './hook-server.ts'
import type { HooksPlace, HookWay } from './set-up-hooks.ts'

/** Our hooks in the settings of one scope. */
export interface HooksState {
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

/** One broken file does not hide what the others say: what is wrong with it is in the state. */
export async function hooksState(
  place: HooksPlace & { searchPath: string | undefined },
  scope: HookScope,
): Promise<HooksState> {
  const file = hooksFile(scope, place)
  const none = { scope, file, events: [], missing: [], outdated: false, portable: false }
  let installed: InstalledHook[] = []
  try {
    installed = (await installedHooks({ ...place, file })) ?? []
  } catch (error) {
    return { ...none, problem: messageOf(error) }
  }
  if (installed.length === 0) return none
  const served = installed.some(({ server }) => server !== undefined)
  const lacks = served && !configuredServer({ ...place, scope })
  const commands = installed.flatMap(({ command }) => command ?? [])
  const events = installed.map(({ event }) => event)
  return {
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
