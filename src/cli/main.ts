import { Command, CommanderError } from 'commander'
import { Output } from './output.ts'

interface CommandGroup {
  names: readonly string[]
  load: () => Promise<{ register: (program: Command) => void }>
}

/** Loaded only when called: `ralph status` should not pay for the chat. */
const GROUPS: readonly CommandGroup[] = [
  { names: ['init'], load: () => import('./commands/init.ts') },
  { names: ['status'], load: () => import('./commands/status.ts') },
  { names: ['doctor'], load: () => import('./commands/doctor.ts') },
  { names: ['trust'], load: () => import('./commands/trust.ts') },
  { names: ['project'], load: () => import('./commands/project.ts') },
  { names: ['loop'], load: () => import('./commands/loop.ts') },
  { names: ['prompt'], load: () => import('./commands/prompt.ts') },
  { names: ['feature'], load: () => import('./commands/feature.ts') },
  { names: ['task'], load: () => import('./commands/task.ts') },
  { names: ['discipline'], load: () => import('./commands/discipline.ts') },
  { names: ['memory'], load: () => import('./commands/memory.ts') },
  { names: ['learnings'], load: () => import('./commands/learnings.ts') },
  { names: ['hooks', 'hook'], load: () => import('./commands/hooks.ts') },
  { names: ['mcp'], load: () => import('./commands/mcp.ts') },
  { names: ['receipts'], load: () => import('./commands/receipts.ts') },
  { names: ['migrate'], load: () => import('./commands/migrate.ts') },
  { names: ['recall'], load: () => import('./commands/recall.ts') },
  { names: ['knowledge'], load: () => import('./commands/knowledge.ts') },
  { names: ['gate'], load: () => import('./commands/gate.ts') },
  {
    names: ['conversations', 'workers', 'rag', 'summarizer', 'embeddings'],
    load: () => import('./commands/conversations.ts'),
  },
  { names: ['chat'], load: () => import('./commands/chat.ts') },
  { names: ['demo'], load: () => import('./commands/demo.ts') },
  { names: ['completion'], load: () => import('./commands/completion.ts') },
]

/** The whole command tree, or only the part that `wanted` names. */
export async function buildProgram(version: string, wanted?: string): Promise<Command> {
  const program = new Command('ralph')
    .description('Memory for coding agents: what happened, found again when it matters.')
    .version(version, '-V, --version')
    .configureHelp({ showGlobalOptions: true })
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help to see how)')
    .exitOverride()
  const selected = GROUPS.filter(({ names }) => wanted !== undefined && names.includes(wanted))
  for (const group of selected.length > 0 ? selected : GROUPS) (await group.load()).register(program)
  return program
}

/** Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(argv: readonly string[]): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0) // the reader (`| head`) has seen enough
    throw error
  })
  try {
    const { version } = await import('../version.ts')
    // Asked by scripts before anything else: no reason to load every command first.
    if (argv.length === 1 && ['--version', '-V'].includes(argv[0]!)) {
      process.stdout.write(`${version}\n`)
      return 0
    }
    const program = await buildProgram(
      version,
      argv.find((word) => !word.startsWith('-')),
    )
    if (argv.length === 0) {
      program.outputHelp()
      return 0
    }
    await program.parseAsync(argv, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    new Output({ json: argv.includes('--json') }).error(error)
    return 1
  }
}
