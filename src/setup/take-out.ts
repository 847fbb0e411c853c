import { MCP_CLIENT_NAMES, MCP_CLIENTS } from '../agent-config/clients.ts'
import { codexSettings, noLongerTrustWithCodex } from '../agent-config/codex-trust.ts'
import type { EditResult } from '../agent-config/edited-file.ts'
import {
  agentHooksFile,
  HOOKED_AGENTS,
  hooksFile,
  uninstallAgentHooks,
  uninstallHooks,
} from '../agent-config/hooks.ts'
import { formerServers, hooksStates, removeFormer } from '../agent-config/installed.ts'
import { removeSection, sectionFiles } from '../agent-config/instructions.ts'
import { mcpConfigFor, removeMcpConfig, writtenServer } from '../agent-config/mcp-config.ts'
import type { Config } from '../config.ts'
import { isRalphError } from '../errors.ts'
import { textIfAny } from '../files/git-checkout.ts'
import type { SetupStep } from '../project-setup.ts'
import type { AgentName } from '../transcripts/agents.ts'
import { agentHooksPlace } from './agent-hooks.ts'
import { noLongerPrivate } from './git-private.ts'
import type { Problem } from './offers/offer.ts'
import { stepOf } from './step.ts'

export interface TakenOut {
  files: SetupStep[]
  /** What could not be taken out, and what is left for all projects. */
  problems: Problem[]
}

/** Takes our lines out of the files of others. One that cannot be edited does not keep the rest. */
export async function takeOut(config: Config): Promise<TakenOut> {
  const taken: TakenOut = { files: [], problems: [] }
  const attempt = async (file: string, work: () => Promise<EditResult>) => {
    try {
      const result = await work()
      if (result.action !== 'unchanged') taken.files.push(stepOf(result, config.project))
    } catch (error) {
      if (!isRalphError(error)) throw error
      // A file that is broken and does not even mention us is none of our business.
      if (textIfAny(file)?.includes('ralph') !== false)
        taken.problems.push({ message: error.message, hint: error.hint })
    }
  }
  for (const scope of ['project', 'local'] as const) {
    const file = hooksFile(scope, config)
    await attempt(file, () => uninstallHooks({ ...config, file }))
  }
  for (const agent of HOOKED_AGENTS) {
    const place = agentHooksPlace(config, agent, 'project')
    await attempt(agentHooksFile(place), () => uninstallAgentHooks(place))
  }
  for (const file of sectionFiles(config)) await attempt(file, () => removeSection(file, config))
  for (const client of MCP_CLIENT_NAMES) {
    const server = mcpConfigFor({ ...config, client, portable: true })
    await attempt(server.file, async () => {
      if (MCP_CLIENTS[client].scope === 'user' && !(await namesProject(config, client)))
        return { file: server.file, action: 'unchanged' }
      return removeMcpConfig(server, config.home)
    })
  }
  for (const server of await formerServers(config))
    if (server.words.includes(`--project=${config.project}`))
      await attempt(server.file, () => removeFormer(server, config))
  await attempt(codexSettings(config), () => noLongerTrustWithCodex(config, config.home))
  taken.files.push(...(await noLongerPrivate(config)))
  return taken
}

/** The agents that have hooks for all projects of the user: they stay, for the others. */
export async function agentsWithUserHooks(config: Config): Promise<AgentName[]> {
  const states = await hooksStates({ ...config, searchPath: undefined })
  return states.filter(({ scope, events }) => scope === 'user' && events.length > 0).map(({ agent }) => agent)
}

/** In a file for all projects our server may be there for another one. */
async function namesProject(config: Config, client: (typeof MCP_CLIENT_NAMES)[number]): Promise<boolean> {
  const written = await writtenServer(mcpConfigFor({ ...config, client }), config.home)
  return written?.includes(JSON.stringify(`--project=${config.project}`)) ?? false
}
