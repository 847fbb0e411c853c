import { MCP_CLIENTS, type McpClientName } from '../../agent-config/clients.ts'
import { codexSettings, isTrustedByCodex, trustWithCodex } from '../../agent-config/codex-trust.ts'
import { installedServers } from '../../agent-config/installed.ts'
import type { Config } from '../../config.ts'
import type { Ralph } from '../../ralph.ts'
import { portableWay, reachOf } from '../installation.ts'
import { setUpServer } from '../mcp-server.ts'
import { stepOf } from '../step.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Accepted, SetupOffer } from './offer.ts'

/** What some agents want a person to say before they use memory tools of a project: never done unasked. */
export async function offerTrust(
  { config }: Ralph,
  { agents, searchPath }: Surroundings,
): Promise<SetupOffer> {
  const asking = agents
    .map(({ client }) => client)
    .filter((client) => client === 'codex' || MCP_CLIENTS[client].trust)
  const missing = asking.filter((client) => client !== 'codex' || !isTrustedByCodex(config))
  const trusted = new Set((await installedServers(config)).flatMap((one) => (one.trusted ? one.client : [])))
  const open = missing.filter((client) => !trusted.has(client))
  const labels = (open.length > 0 ? open : asking).map((client) => MCP_CLIENTS[client].label).join(', ')
  return {
    name: 'trust',
    state: asking.length === 0 ? 'nothing' : open.length === 0 ? 'there' : 'open',
    about:
      asking.length === 0 ? 'no agent was found that asks for it' : `memory tools used by ${labels} unasked`,
    question: `Let ${labels} use the memory tools of this project without asking each time (trust)?`,
    usually: false,
    onlyNamed: true,
    accept: () => trustAll(config, open, searchPath),
  }
}

async function trustAll(
  config: Config,
  clients: readonly McpClientName[],
  searchPath: string | undefined,
): Promise<Accepted> {
  const files: Accepted['files'] = []
  const there = new Set((await installedServers(config)).map(({ client }) => client))
  const done = clients.filter((client) => there.has(client))
  for (const client of done) {
    const result =
      client === 'codex'
        ? await trustWithCodex(config, config.home)
        : await setUpServer(config, {
            client,
            trust: true,
            portable: portableWay(reachOf({ project: config.project, searchPath })),
          })
    files.push(stepOf(result, config.project))
  }
  const labels = done.map((client) => MCP_CLIENTS[client].label).join(', ')
  const codex = done.includes('codex') ? ` (Codex: in ${codexSettings(config)})` : ''
  return { about: done.length === 0 ? 'there are no memory tools to trust' : `${labels}${codex}`, files }
}
