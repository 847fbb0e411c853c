import { HOOK_SCOPES } from '../agent-config/claude-hooks.ts'
import {
  type HooksState,
  hooksState,
  type InstalledServer,
  installedServers,
  renewServer,
} from '../agent-config/installed.ts'
import { setUpHooks } from '../agent-config/set-up-hooks.ts'
import { type Config, searchPath } from '../config.ts'
import type { DoctorParts } from './checks.ts'
import { FIX, problem, type Result, together, warning } from './finding.ts'

/** Our hooks wherever Claude Code looks for some; those that are not installed are no fault. */
export async function checkHooks({ config }: DoctorParts): Promise<Result> {
  const states = await hooksOf(config)
  const installed = states.filter(({ events }) => events.length > 0)
  const found = states.flatMap((state) => faultOf(state) ?? [])
  return together(
    found,
    installed.length === 0
      ? 'not installed (ralph hooks install)'
      : installed.map(({ file }) => `in ${file}`).join(', '),
  )
}

function faultOf({ file, problem: trouble, missing, outdated, events }: HooksState): Result | undefined {
  if (trouble !== undefined && events.length === 0)
    return problem(trouble, `Correct ${file} in an editor.`, 'Claude Code cannot read it either.')
  if (trouble !== undefined) return problem(`${file}: ${trouble}`, FIX, 'Each shows as an error in sessions.')
  if (missing.length > 0)
    return warning(`${file} calls ${missing.join(', ')}, which is gone`, FIX, 'Hooks may say nothing.')
  if (outdated)
    return warning(`${file} has hooks of an earlier ralph, or not all of them`, FIX, 'Some are not told of.')
  return undefined
}

export async function mendHooks({ config }: DoctorParts): Promise<string> {
  const { project, home, userHome, claudeDir } = config
  const done: string[] = []
  for (const { scope, file, missing, outdated, portable, way, events, problem: trouble } of await hooksOf(
    config,
  )) {
    if (events.length === 0 || (missing.length === 0 && !outdated && trouble === undefined)) continue
    const place = { project, home, userHome, claudeDir, searchPath: searchPath(), scope, portable }
    // What cannot be answered by a server any more starts a process, as it does everywhere.
    await setUpHooks(way === 'server' ? place : { ...place, way: 'command' })
    done.push(`wrote the hooks in ${file} again`)
  }
  return done.join('; ') || 'nothing of it could be mended'
}

async function hooksOf({ project, home, userHome, claudeDir }: Config): Promise<HooksState[]> {
  const place = { project, home, userHome, claudeDir, searchPath: searchPath() }
  return Promise.all(HOOK_SCOPES.map((scope) => hooksState(place, scope)))
}

export async function checkMcp({ config }: DoctorParts): Promise<Result> {
  const servers = await installedServers(config)
  const set = servers.filter(({ problem: trouble }) => trouble === undefined)
  return together(
    servers.flatMap((server) => mcpFault(server) ?? []),
    set.length === 0
      ? 'not set up (ralph mcp config --client NAME --write)'
      : `set up for ${set.map(({ label }) => label).join(', ')}`,
  )
}

function mcpFault({ label, file, problem: trouble, missing }: InstalledServer): Result | undefined {
  if (trouble !== undefined)
    return problem(trouble, `Correct ${file} in an editor.`, `${label} cannot read it either.`)
  if (missing.length === 0) return undefined
  return warning(
    `${file} starts ${missing.join(', ')}, which is gone`,
    FIX,
    `${label} gets no answers from memory.`,
  )
}

export async function mendMcp({ config }: DoctorParts): Promise<string> {
  const broken = (await installedServers(config)).filter(({ missing }) => missing.length > 0)
  for (const server of broken) await renewServer(server, config)
  return broken.length > 0
    ? `wrote the server in ${broken.map(({ file }) => file).join(', ')} again`
    : 'nothing of it could be mended'
}
