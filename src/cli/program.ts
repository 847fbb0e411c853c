import { Command } from 'commander'
import { forTerminal } from '../text/terminal.ts'
import { COMMAND_TABLE, type CommandEntry, entryNamed } from './command-table.ts'
import { withGroupExamples } from './examples.ts'
import { helpLook } from './help/look.ts'
import { overview } from './help/overview.ts'
import { typed } from './typed.ts'

/** Every command with all that it takes. */
export async function wholeProgram(): Promise<Command> {
  const program = emptyProgram()
  for (const entry of COMMAND_TABLE) await addCommand(program, entry)
  return program
}

/** As much of it as the words need: the command that they name, else the names of all, to suggest one. */
export async function programFor(words: readonly string[]): Promise<Command> {
  const program = emptyProgram()
  const at = words.findIndex(isName)
  const entry = entryNamed(words[at])
  if (entry) await addCommand(program, entry, words[at + 1])
  else for (const { name, aliases = [] } of COMMAND_TABLE) program.command(name).aliases(aliases)
  return program
}

/** Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommand(typed: readonly string[]): Promise<number> {
  const words = typed[0] === 'help' ? await wordsOfHelp(typed.slice(1)) : inOurNames(typed)
  if (words === undefined) return 0
  const program = await programFor(words)
  try {
    await program.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    const { failed } = await import('./failed.ts')
    return failed(error, { program, words })
  }
}

/** `ralph help memory search` is `ralph memory search --help`; what is no command has been shown already. */
async function wordsOfHelp(words: readonly string[]): Promise<string[] | undefined> {
  const named = words.filter(isName)
  if (named.length === 1) {
    const { topicText } = await import('./help/topic-text.ts')
    const text = topicText(named[0]!, helpLook())
    if (text !== undefined) process.stdout.write(forTerminal(typed(text)))
    if (text !== undefined) return undefined
  }
  return entryNamed(named[0]) ? [...inOurNames(named), '--help'] : ['help', ...words]
}

/** With the command called as we call it: `ralph features` is `ralph feature`. */
function inOurNames(words: readonly string[]): string[] {
  const at = words.findIndex(isName)
  const name = entryNamed(words[at])?.name
  return name === undefined ? [...words] : words.with(at, name)
}

function isName(word: string): boolean {
  return !word.startsWith('-')
}

function emptyProgram(): Command {
  const program = new Command('ralph')
    .configureHelp({ showGlobalOptions: true })
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => process.stdout.write(typed(text)),
      writeErr: (text) => process.stderr.write(forTerminal(typed(text))),
      getOutHelpWidth: () => helpLook().width,
      // What went wrong is said in one place, with the next step, whoever noticed it.
      outputError: () => undefined,
    })
    .helpCommand(false)
    .exitOverride()
  program.helpInformation = () => overview(helpLook())
  return program
}

/** `named`: the word behind it, for a group that need not have all its commands. */
async function addCommand(program: Command, entry: CommandEntry, named?: string): Promise<void> {
  const { register } = await entry.load()
  const command = program
    .command(entry.name)
    .aliases(entry.aliases ?? [])
    .description(entry.description)
  register(command, named)
  withGroupExamples(command)
}
