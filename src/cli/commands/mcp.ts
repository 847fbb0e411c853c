import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { MCP_CLIENT_NAMES, type McpClientName } from '../../agent-config/clients.ts'
import {
  type McpConfig,
  mcpConfigFor,
  removeMcpConfig,
  writeMcpConfig,
} from '../../agent-config/mcp-config.ts'
import { type Config, resolveConfig } from '../../config.ts'
import { parseFeatureName } from '../../files/feature-name.ts'
import { openRalph } from '../../ralph.ts'
import { forTerminal } from '../../text/terminal.ts'
import { parseOneOf, ralphCommand, withExamples } from '../command.ts'

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
  const { session } = await resolveConfig(request)
  const feature = flags.feature ?? session.feature
  const log = (line: string) => void process.stderr.write(forTerminal(`ralph mcp: ${line}\n`))
  await serveMcp({
    // Troubles are told in the answers, where the agent sees them; stderr is for people who look for it.
    open: () => openRalph({ ...request, onNotice: ({ message }) => log(message), via: 'review' }),
    feature: feature === undefined ? undefined : parseFeatureName(feature),
    caretaker: flags.reviewer ? 'reviewer' : 'agent',
    readOnly: flags.readOnly,
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
    .option('--write', "merge it into the client's file, keeping what is there")
    .option('--remove', 'undo --write')
  withExamples(
    config,
    'ralph mcp config --client cursor',
    'ralph mcp config --client claude-code --feature auth --write',
  )
  ralphCommand<ConfigFlags>(config, async ({ ralph, options, out }) => {
    const { project, home } = ralph.config
    const { client, feature, portable, write, remove } = options
    const wanted = mcpConfigFor({ client, project, userHome: ralph.config.userHome, feature, portable })
    if (write || remove) {
      const result = remove ? await removeMcpConfig(wanted, home) : await writeMcpConfig(wanted, home)
      out.result(result, () => sentence(result.action, wanted))
      const about = client === 'claude-code' && (await aboutHooks(ralph.config, remove))
      if (about) out.talk(about)
      return
    }
    const { file, format, entry } = wanted
    out.result({ client, file, format, entry, text: wanted.text }, () => wanted.text, { ours: true })
    out.talk(`For ${wanted.label}: ${file} (--write merges it in)`)
  })
}

/** Hooks of a server that is gone would be errors in every session. */
async function aboutHooks(config: Config, removed = false): Promise<string | undefined> {
  const { wayHere } = await import('../../agent-config/set-up-hooks.ts')
  const way = await wayHere(config)
  if (removed && way === 'server')
    return 'It answered the hooks of Claude Code → ralph hooks install lets them do without it'
  return !removed && way === 'command'
    ? 'It can answer the hooks of Claude Code → ralph hooks install'
    : undefined
}

function sentence(action: string, { label, file }: McpConfig): string {
  const what = {
    created: `Wrote ${file}. Restart ${label} to use it.`,
    changed: `Updated ${file}. Restart ${label} to use it.`,
    unchanged: `${file} is as it should be.`,
    removed: `Removed ${file}: nothing but our entry was in it.`,
  }
  return what[action as keyof typeof what]
}
