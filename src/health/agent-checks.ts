import { installAgentHooks, setUpHooks } from '../agent-config/hooks.ts'
import {
  formerServers,
  type HooksState,
  hooksStates,
  type InstalledServer,
  installedServers,
  removeFormer,
  renewServer,
} from '../agent-config/installed.ts'
import { type Config, searchPath } from '../config.ts'
import { AGENTS } from '../transcripts/agents.ts'
import type { DoctorParts } from './checks.ts'
import { FIX, problem, type Result, together, warning } from './finding.ts'

/** Our hooks wherever an agent looks for some; those that are not installed are no fault. */
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

function faultOf({
  agent,
  file,
  problem: trouble,
  missing,
  outdated,
  events,
}: HooksState): Result | undefined {
  if (trouble !== undefined && events.length === 0)
    return problem(trouble, `Correct ${file} in an editor.`, `${AGENTS[agent].label} cannot read it either.`)
  if (trouble !== undefined) return problem(`${file}: ${trouble}`, FIX, 'Each shows as an error in sessions.')
  if (missing.length > 0)
    return warning(`${file} calls ${missing.join(', ')}, which is gone`, FIX, 'Hooks may say nothing.')
  if (outdated)
    return warning(`${file} has hooks of an earlier ralph, or not all of them`, FIX, 'Some are not told of.')
  return undefined
}

export async function mendHooks({ config }: DoctorParts): Promise<string> {
  const done: string[] = []
  for (const state of await hooksOf(config)) {
    const { file, missing, outdated, events, problem: trouble } = state
    if (events.length === 0 || (missing.length === 0 && !outdated && trouble === undefined)) continue
    await writeAgain(config, state)
    done.push(`wrote the hooks in ${file} again`)
  }
  return done.join('; ') || 'nothing of it could be mended'
}

async function writeAgain(config: Config, { agent, scope, portable, way }: HooksState): Promise<void> {
  const place = { ...config, searchPath: searchPath(), portable }
  if (agent !== 'claude-code' && scope !== 'local') {
    await installAgentHooks({ ...place, agent, scope })
    return
  }
  // What cannot be answered by a server any more starts a process, as it does everywhere.
  await setUpHooks(way === 'server' ? { ...place, scope } : { ...place, scope, way: 'command' })
}

function hooksOf(config: Config): Promise<HooksState[]> {
  return hooksStates({ ...config, searchPath: searchPath() })
}

export async function checkMcp({ config }: DoctorParts): Promise<Result> {
  const servers = await installedServers(config)
  const former = await formerServers(config)
  const set = servers.filter(({ problem: trouble }) => trouble === undefined)
  return together(
    [...servers.flatMap((server) => mcpFault(server) ?? []), ...former.map(leak)],
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

function leak({ label, file, words }: InstalledServer): Result {
  const named = words.find((word) => word.startsWith('--project='))?.slice('--project='.length)
  return warning(
    `${file} has the server of ${named} for all projects`,
    FIX,
    `${label} gets its memory in every other project, too. Per project: ralph mcp config --client copilot-cli --write`,
  )
}

export async function mendMcp({ config }: DoctorParts): Promise<string> {
  const broken = (await installedServers(config)).filter(({ missing }) => missing.length > 0)
  for (const server of broken) await renewServer(server, config)
  const former = await formerServers(config)
  for (const server of former) {
    await removeFormer(server, config)
    // Where it was meant for this project, it stays set up for it.
    if (server.words.includes(`--project=${config.project}`)) await renewServer(server, config)
  }
  const done = [
    ...broken.map(({ file }) => `wrote the server in ${file} again`),
    ...former.map(({ file }) => `took the server for all projects out of ${file}`),
  ]
  return done.join('; ') || 'nothing of it could be mended'
}
