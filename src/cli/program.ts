import { Command, CommanderError } from 'commander'
import { forTerminal } from '../text/terminal.ts'
import { version } from '../version.ts'
import { COMMAND_TABLE, type CommandEntry } from './command-table.ts'

/** Every command with all that it takes. */
export async function wholeProgram(): Promise<Command> {
  const program = emptyProgram()
  for (const entry of COMMAND_TABLE) await addCommand(program, entry)
  return program
}

/** As much of it as the words need: the command that they name, else what the help says of each. */
export async function programFor(words: readonly string[]): Promise<Command> {
  const program = emptyProgram()
  const named = words.filter((word) => !word.startsWith('-'))
  const wanted = named[0] === 'help' ? named[1] : named[0]
  const entry = COMMAND_TABLE.find((one) => nameOf(one) === wanted)
  if (entry) await addCommand(program, entry)
  else for (const { usage, description } of COMMAND_TABLE) program.command(usage).description(description)
  return program
}

/** Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommand(words: readonly string[]): Promise<number> {
  try {
    const program = await programFor(words)
    if (words.length === 0) program.outputHelp()
    else await program.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { Output } = await import('./output.ts')
    new Output({ json: words.includes('--json') }).error(error)
    return 1
  }
}

function emptyProgram(): Command {
  return new Command('ralph')
    .description('Memory for coding agents: what happened, found again when it matters.')
    .version(version, '-V, --version')
    .configureHelp({ showGlobalOptions: true })
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help to see how)')
    .configureOutput({ writeErr: (text) => process.stderr.write(forTerminal(text)) })
    .exitOverride()
}

async function addCommand(program: Command, entry: CommandEntry): Promise<void> {
  const { register } = await entry.load()
  register(program.command(nameOf(entry)).description(entry.description))
}

function nameOf({ usage }: CommandEntry): string {
  return usage.split(' ')[0]!
}
