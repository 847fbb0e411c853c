import { hooksFile, installedHooks, uninstallHooks } from '../agent-config/claude-hooks.ts'
import { MCP_CLIENT_NAMES, MCP_CLIENTS } from '../agent-config/clients.ts'
import type { EditResult } from '../agent-config/edited-file.ts'
import { mcpConfigFor, removeMcpConfig, writtenServer } from '../agent-config/mcp-config.ts'
import type { Config } from '../config.ts'
import { isRalphError } from '../errors.ts'
import { textIfAny } from '../files/git-checkout.ts'
import type { SetupStep } from '../project-setup.ts'
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
  for (const client of MCP_CLIENT_NAMES) {
    const server = mcpConfigFor({ ...config, client, portable: true })
    await attempt(server.file, async () => {
      if (MCP_CLIENTS[client].scope === 'user' && !(await namesProject(config, client)))
        return { file: server.file, action: 'unchanged' }
      return removeMcpConfig(server, config.home)
    })
  }
  taken.files.push(...(await noLongerPrivate(config)))
  return taken
}

/** Whether hooks for all projects of the user are there: they stay, for the others. */
export async function hasUserHooks(config: Config): Promise<boolean> {
  try {
    const file = hooksFile('user', config)
    return ((await installedHooks({ ...config, file })) ?? []).length > 0
  } catch {
    return false // not ours to mend
  }
}

/** In a file for all projects our server may be there for another one. */
async function namesProject(config: Config, client: (typeof MCP_CLIENT_NAMES)[number]): Promise<boolean> {
  const written = await writtenServer(mcpConfigFor({ ...config, client }), config.home)
  return written?.includes(JSON.stringify(`--project=${config.project}`)) ?? false
}
