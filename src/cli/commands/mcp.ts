import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { MCP_CLIENT_NAMES, MCP_CLIENTS, type McpClientName } from '../../agent-config/clients.ts'
import { installedServers } from '../../agent-config/installed.ts'
import { INSTRUCTIONS } from '../../agent-config/instructions.ts'
import { mcpConfigFor } from '../../agent-config/mcp-config.ts'
import { type Config, resolveConfig } from '../../config.ts'
import { parseFeatureName } from '../../files/feature-name.ts'
import { isHeldBack } from '../../held-back.ts'
import { requirePerson } from '../../person.ts'
import { openRalph } from '../../ralph.ts'
import { type ServerSetup, setUpServer, takeOutServer } from '../../setup/mcp-server.ts'
import { forTerminal } from '../../text/terminal.ts'
import { parseOneOf, type Run, ralphCommand, withExamples } from '../command.ts'
import { canAsk, confirmed } from '../confirm.ts'
import type { Output } from '../output.ts'

interface ServeFlags {
  project?: string
  feature?: string
  run?: string
  reviewer?: boolean
  readOnly?: boolean
}

export function register(mcp: Command): void {
  mcp
    .option('--project <dir>', 'the project (default: nearest folder with .ralph or .git)')
    .option('--feature <name>', 'serve this feature and no other')
    .option('--run <id>', "the agent's run that receipts belong to")
    .option('--reviewer', 'the agent reviews: it may mark learnings as reviewed')
    .option('--read-only', 'the agent may change nothing: offer only what reads')
    .action(async () => serve(mcp.opts<ServeFlags>()))
  withExamples(mcp, 'ralph mcp --feature auth', 'ralph mcp config --client claude-code --write')
  registerConfig(mcp)
}

async function serve(flags: ServeFlags): Promise<void> {
  const { serveMcp } = await import('../../mcp/serve.ts')
  const request = { project: flags.project }
  const config = await resolveConfig(request)
  const { session } = config
  const feature = flags.feature ?? session.feature
  const log = (line: string) => void process.stderr.write(forTerminal(`ralph mcp: ${line}\n`))
  await serveMcp({
    // Troubles are told in the answers, where the agent sees them; stderr is for people who look for it.
    open: () => openRalph({ ...request, onNotice: ({ message }) => log(message), via: 'review' }),
    feature: feature === undefined ? undefined : parseFeatureName(feature),
    caretaker: flags.reviewer ? 'reviewer' : 'agent',
    readOnly: flags.readOnly,
    withheld: await isHeldBack(config),
    run: flags.run ?? session.run ?? `mcp-${randomUUID()}`,
    hooks: async () => {
      const { answerServed, prepareHooks } = await import('../../hooks/served.ts')
      return { answer: answerServed, prepare: prepareHooks }
    },
    log,
  })
  // Nothing may keep a server alive whose client is gone.
  process.exit(0)
}

interface ConfigFlags {
  client: McpClientName
  feature?: string
  portable?: boolean
  trust?: boolean
  instructions?: boolean
  write?: boolean
  remove?: boolean
}

function registerConfig(mcp: Command): void {
  const config = mcp
    .command('config')
    .description('print the MCP configuration in the form an agent wants, or write it into its file')
    .option(
      '--client <name>',
      MCP_CLIENT_NAMES.join(', '),
      parseOneOf('--client', MCP_CLIENT_NAMES),
      'claude-code',
    )
    .option('--feature <name>', 'lock the server to this feature')
    .option('--portable', 'no paths of this machine, for a file that is committed')
    .option(
      '--trust',
      'let the agent use the tools without asking (gemini, qwen), or this file at all (codex)',
    )
    .option('--no-trust', 'do not, and do not ask')
    .option('--instructions', 'also a section on the tools in AGENTS.md or GEMINI.md')
    .option('--write', "merge it into the client's file, keeping what is there")
    .option('--remove', 'undo --write')
  withExamples(
    config,
    'ralph mcp config --client cursor',
    'ralph mcp config --client gemini --trust --instructions --write',
  )
  ralphCommand<ConfigFlags>(config, async (run) => {
    const { ralph, options, out } = run
    if (options.write || options.remove) return writeOrRemove(run)
    const wanted = mcpConfigFor({ ...ralph.config, ...options })
    const { client, file, format, entry, text } = wanted
    const section = options.instructions ? INSTRUCTIONS : undefined
    out.result({ client, file, format, entry, text, ...(section && { instructions: section }) }, () => text, {
      ours: true,
    })
    out.talk(`For ${wanted.label}: ${file} (--write merges it in)`)
    if (section) out.talk(`For AGENTS.md or GEMINI.md:\n\n${section}`)
  })
}

async function writeOrRemove({ ralph, options, out }: Run<ConfigFlags>): Promise<void> {
  const { config } = ralph
  const { client, remove = false } = options
  if (remove) await requirePerson(config, 'take memory away from an agent')
  if (options.trust) await requirePerson(config, 'let an agent do without asking')
  const result = remove
    ? await takeOutServer(config, options)
    : await setUpServer(config, { ...options, trust: await trusts(config, options, out) })
  out.result(result, () => [sentence(result.action, result), ...moreLines(result)].join('\n'))
  const about = client === 'claude-code' && (await aboutHooks(config, remove))
  if (about) out.talk(about)
}

/** Nobody is asked twice, and nobody who cannot answer. */
async function trusts(config: Config, { client, trust }: ConfigFlags, out: Output): Promise<boolean> {
  if (trust !== undefined || !MCP_CLIENTS[client].trust) return trust ?? false
  const servers = await installedServers(config)
  if (servers.some((server) => server.client === client && server.trusted)) return true
  const question = `Let ${MCP_CLIENTS[client].label} use the memory tools without asking each time ("trust": true)?`
  return canAsk() && !out.json ? confirmed(question, { usually: false }) : false
}

function moreLines({ former, section, trusted, remains }: ServerSetup): string[] {
  return [
    ...former.map((file) => `Took the server for all projects out of ${file}: it told each of them of one.`),
    ...(section ?? []).map(
      ({ path, action }) => `${path}: section ${action === 'kept' ? 'is there' : action}.`,
    ),
    ...(trusted ? [`${trusted} trusts this project now.`] : []),
    ...(remains === undefined ? [] : [`→ ${remains}`]),
  ]
}

/** Hooks of a server that is gone would be errors in every session. */
async function aboutHooks(config: Config, removed = false): Promise<string | undefined> {
  const { wayHere } = await import('../../agent-config/hooks.ts')
  const way = await wayHere(config)
  if (removed && way === 'server')
    return 'It answered the hooks of Claude Code → ralph hooks install lets them do without it'
  return !removed && way === 'command'
    ? 'It can answer the hooks of Claude Code → ralph hooks install'
    : undefined
}

function sentence(action: string, { label, file }: ServerSetup): string {
  const what = {
    created: `Wrote ${file}. Restart ${label} to use it.`,
    changed: `Updated ${file}. Restart ${label} to use it.`,
    unchanged: `${file} is as it should be.`,
    removed: `Removed ${file}: nothing but our entry was in it.`,
  }
  return what[action as keyof typeof what]
}
