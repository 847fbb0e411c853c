import { MCP_CLIENTS, type McpClientName } from '../agent-config/clients.ts'
import {
  codexSettings,
  codexTrustLines,
  isTrustedByCodex,
  noLongerTrustWithCodex,
  trustWithCodex,
} from '../agent-config/codex-trust.ts'
import type { EditResult } from '../agent-config/edited-file.ts'
import { formerServers, removeFormer } from '../agent-config/installed.ts'
import { removeSection, sectionFilesFor, writeSection } from '../agent-config/instructions.ts'
import { mcpConfigFor, removeMcpConfig, writeMcpConfig } from '../agent-config/mcp-config.ts'
import type { PortableWay } from '../agent-config/ralph-command.ts'
import type { Config } from '../config.ts'
import type { SetupStep } from '../project-setup.ts'
import { stepOf } from './step.ts'

export interface ServerRequest {
  client: McpClientName
  feature?: string | undefined
  portable?: boolean | PortableWay | undefined
  /** Agreed to by the person: see `McpClient.trust`; Codex is told to trust the project. */
  trust?: boolean | undefined
  /** Also a section on the tools, where the client reads such. */
  instructions?: boolean | undefined
}

export interface ServerSetup extends EditResult {
  label: string
  /** Files of the user that had a server of ours for all projects, and have it no more. */
  former: string[]
  section?: SetupStep[]
  /** Who was told to trust the project. */
  trusted?: string
  /** What is left for the person to do. */
  remains?: string
}

/** Our server in the client's own file, and what belongs to it. */
export async function setUpServer(config: Config, request: ServerRequest): Promise<ServerSetup> {
  const { client, trust = false, instructions = false } = request
  const wanted = mcpConfigFor({ ...config, ...request })
  const result = await writeMcpConfig(wanted, config.home)
  const former = await takeOutFormer(config, client)
  const trusts = client === 'codex' && trust && !isTrustedByCodex(config)
  if (trusts) await trustWithCodex(config, config.home)
  const section = instructions ? await editSections(config, client, writeSection) : undefined
  const remains = serverRemains(config, client, trust)
  return {
    ...result,
    label: wanted.label,
    former,
    ...(section && { section }),
    ...(trusts && { trusted: 'Codex' }),
    ...(remains !== undefined && { remains }),
  }
}

/** The opposite; with `instructions` the section goes too. */
export async function takeOutServer(config: Config, request: ServerRequest): Promise<ServerSetup> {
  const { client, instructions = false } = request
  const wanted = mcpConfigFor({ ...config, ...request })
  const result = await removeMcpConfig(wanted, config.home)
  if (client === 'codex') await noLongerTrustWithCodex(config, config.home)
  const former = await takeOutFormer(config, client)
  const section = instructions ? await editSections(config, client, removeSection) : undefined
  return { ...result, label: wanted.label, former, ...(section && { section }) }
}

/** What a client still wants of the person before it starts the server. */
function serverRemains(config: Config, client: McpClientName, trust = false): string | undefined {
  if (client !== 'codex') return MCP_CLIENTS[client].remains?.(trust)
  if (isTrustedByCodex(config)) return undefined
  return `Codex reads it only in a trusted project, and says nothing where it does not: start codex here and trust it, or --trust, or add to ${codexSettings(config)}:\n${codexTrustLines(config)}`
}

async function takeOutFormer(config: Config, client: McpClientName): Promise<string[]> {
  const former = (await formerServers(config)).filter((server) => server.client === client)
  for (const server of former) await removeFormer(server, config)
  return former.map(({ file }) => file)
}

async function editSections(
  config: Config,
  client: McpClientName,
  edit: typeof writeSection,
): Promise<SetupStep[]> {
  const steps: SetupStep[] = []
  for (const file of sectionFilesFor([client], config))
    steps.push(stepOf(await edit(file, config), config.project))
  return steps
}
