import type { McpClientName } from '../../agent-config/clients.ts'
import { type McpConfig, mcpConfigFor, writtenServer } from '../../agent-config/mcp-config.ts'
import { isRalphError } from '../../errors.ts'
import type { Ralph } from '../../ralph.ts'
import { portableWay, reachOf } from '../installation.ts'
import { setUpServer } from '../mcp-server.ts'
import { shownPath, stepOf } from '../step.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Accepted, Problem, SetupOffer } from './offer.ts'

/** Memory tools in the file of each agent that keeps them in the project, without a path of this machine. */
export async function offerMcp(ralph: Ralph, surroundings: Surroundings): Promise<SetupOffer> {
  const { agents, plugin, searchPath } = surroundings
  const clients = agents
    .filter(({ scope, client }) => scope === 'project' && !(plugin && client === 'claude-code'))
    .map(({ client }) => client)
  // Asked for where no agent is found, it is for the one most people use.
  const looked = await lookAtFiles(ralph, clients.length > 0 ? clients : ['claude-code'])
  const missing = looked.filter(({ state }) => state === 'missing')
  const broken = looked.flatMap(({ problem }) => problem ?? [])
  const where = `for ${labelsOf(missing)}, in ${missing.map(({ name }) => name).join(', ')}`
  return {
    name: 'mcp',
    ...stateOf({ looked, plugin, found: clients.length > 0, where }),
    question: `Memory tools (MCP) ${where}?`,
    problem: broken[0],
    accept: () => addServers(ralph, missing, { searchPath, broken }),
  }
}

interface Looked {
  looked: readonly LookedAtFile[]
  plugin: boolean
  /** Whether an agent is there to do it for. */
  found: boolean
  where: string
}

function stateOf({ looked, plugin, found, where }: Looked): Pick<SetupOffer, 'state' | 'about'> {
  const there = looked.filter(({ state }) => state === 'there').map(({ name }) => name)
  if (!found && there.length === 0 && plugin) return { state: 'there', about: "by Claude Code's plugin" }
  if (!found && there.length === 0)
    return { state: 'nothing', about: 'no agent was found that keeps its servers in the project' }
  if (looked.some(({ state }) => state === 'missing')) return { state: 'open', about: where }
  if (looked.some(({ state }) => state === 'broken'))
    return { state: 'blocked', about: 'a file cannot be edited' }
  return { state: 'there', about: `in ${there.join(', ')}` }
}

function labelsOf(files: readonly LookedAtFile[]): string {
  return files.map(({ config }) => config.label).join(', ')
}

interface LookedAtFile {
  config: McpConfig
  /** From the project. */
  name: string
  state: 'there' | 'missing' | 'broken'
  problem?: Problem
}

async function lookAtFiles({ config }: Ralph, clients: readonly McpClientName[]): Promise<LookedAtFile[]> {
  const { project, userHome, home } = config
  const looked: LookedAtFile[] = []
  for (const client of clients) {
    const wanted = mcpConfigFor({ client, project, userHome, portable: true })
    const name = shownPath(wanted.file, project)
    try {
      const state = (await writtenServer(wanted, home)) === undefined ? 'missing' : 'there'
      looked.push({ config: wanted, name, state })
    } catch (error) {
      if (!isRalphError(error)) throw error
      const { message, hint } = error
      looked.push({ config: wanted, name, state: 'broken', problem: { message, hint } })
    }
  }
  return looked
}

async function addServers(
  { config }: Ralph,
  missing: readonly LookedAtFile[],
  { searchPath, broken }: { searchPath: string | undefined; broken: Problem[] },
): Promise<Accepted> {
  const { project } = config
  // Only now: ralph may have been installed meanwhile.
  const portable = portableWay(reachOf({ project, searchPath }))
  const files: Accepted['files'] = []
  const notes: string[] = []
  for (const { client } of missing.map((one) => one.config)) {
    const { remains, ...result } = await setUpServer(config, { client, portable })
    files.push(stepOf(result, project))
    if (remains !== undefined) notes.push(remains)
  }
  const labels = missing.map((one) => one.config.label).join(', ')
  return {
    about: `memory tools for ${labels}: they see them when they are next started`,
    files,
    notes,
    problems: broken,
  }
}
