import { type Command, CommanderError } from 'commander'
import { type ErrorCode, isRalphError, RalphError, UsageError } from '../errors.ts'
import { nearestWord } from '../text/nearest.ts'
import { COMMAND_TABLE } from './command-table.ts'
import { unknownTopic } from './help/topic-text.ts'
import { Output } from './output.ts'

interface Call {
  program: Command
  words: readonly string[]
}

/** Says what went wrong, as JSON where that was asked for, and returns the exit code: 1 failed, 2 wrong usage. */
export async function failed(error: unknown, call: Call): Promise<number> {
  const out = new Output({ json: call.words.includes('--json') })
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0 // help was asked for, and shown
    // The help of a group has been shown: it says all that there is to say to a person.
    if (error.code === 'commander.help') return out.failure(commandMissing(call), { shown: true })
    return out.failure(await usageError(error, call))
  }
  return out.failure(leadingOn(error, call))
}

/** Whoever threw it may not have known which command it was. */
function leadingOn(error: unknown, { program, words }: Call): unknown {
  if (!isRalphError(error) || error.hint !== undefined) return error
  if (error.code === 'usage') return usage(error.message, calledCommand(program, words).path)
  const hint = HINTS[error.code] ?? `\`${calledCommand(program, words).path.join(' ')} --help\` shows how.`
  return new RalphError(error.code, error.message, { hint, cause: error.cause })
}

const DOCTOR = '`ralph doctor` looks for what is wrong.'
const HINTS: Partial<Record<ErrorCode, string>> = {
  damaged: DOCTOR,
  unavailable: DOCTOR,
  timeout: 'Try it again; `ralph doctor` looks for what is wrong.',
  internal: DOCTOR,
}

/** What the parser of the words says, with the next step. */
async function usageError(error: CommanderError, { program, words }: Call): Promise<UsageError> {
  const { command, path, rest } = calledCommand(program, words)
  if (path.length === 1 && words[0] === 'help') return unknownTopic(words[1] ?? '')
  const unknown = rest[0]
  const isGroup = command.commands.length > 0
  if (isGroup && unknown !== undefined && /unknownCommand|excessArguments/.test(error.code)) {
    const near = nearestWord(unknown, namesBelow(command, path.length === 1))
    const meant = near !== undefined ? [near] : path.length === 1 ? await inGroups(unknown) : []
    return usage(
      `unknown command '${unknown}'`,
      path,
      meant.map((name) => [...path, name].join(' ')),
    )
  }
  const option = unknownOption(command, words)
  if (option === undefined) return usage(error.message.replace(/^error: /, ''), path)
  const message = `unknown option '${option}'`
  if (path.length === 1)
    return usage(message, path, undefined, 'Options come behind the command they are for.')
  const near = nearestWord(option, optionsOf(command))
  return usage(message, path, near === undefined ? undefined : [near])
}

/** Told first: a slip in `--feature` is also why `--feature` is missing. */
function unknownOption(command: Command, words: readonly string[]): string | undefined {
  const typed = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined)
  const known = optionsOf(command)
  return typed.map((word) => word.split('=')[0]!).find((word) => /^--\w/.test(word) && !known.includes(word))
}

function optionsOf({ options }: Command): string[] {
  return [...options.flatMap(({ long }) => long ?? []), '--help']
}

function usage(
  message: string,
  path: readonly string[],
  meant: readonly string[] = [],
  advice?: string,
): UsageError {
  const see =
    path.length === 1 ? '`ralph help --all` lists every command.' : `\`${path.join(' ')} --help\` shows how.`
  const asked = meant.map((one) => `\`${one}\``).join(' or ')
  const hint = [advice, asked && `Did you mean ${asked}?`, see].filter(Boolean).join(' ')
  return new UsageError(message, hint)
}

function commandMissing({ program, words }: Call): UsageError {
  const { path } = calledCommand(program, words)
  return usage(`\`${path.join(' ')}\` needs a command behind it`, path)
}

/** How far the words name a command, and those that are left; of a command that has a default, the group itself. */
function calledCommand(
  program: Command,
  words: readonly string[],
): { command: Command; path: string[]; rest: string[] } {
  const names = words.filter((word) => !word.startsWith('-'))
  let command = program
  const path = ['ralph']
  for (const name of names) {
    const below = command.commands.find((one) => one.name() === name || one.aliases().includes(name))
    if (!below) break
    command = below
    path.push(below.name())
  }
  return { command, path, rest: names.slice(path.length - 1) }
}

function namesBelow(command: Command, atTop: boolean): string[] {
  const entries = atTop
    ? COMMAND_TABLE.map(({ name, aliases = [] }) => ({ name, aliases }))
    : command.commands.map((one) => ({ name: one.name(), aliases: one.aliases() }))
  return entries.flatMap(({ name, aliases }) => [name, ...aliases])
}

/** More than these would be no help. */
const MOST_MEANT = 4

/** `ralph import`: a command of some group, which whoever types it has left out. */
async function inGroups(name: string): Promise<string[]> {
  const { wholeProgram } = await import('./program.ts')
  const { commands } = await wholeProgram()
  const groups = commands.filter((group) => group.commands.some((one) => one.name() === name))
  return groups.map((group) => `${group.name()} ${name}`).slice(0, MOST_MEANT)
}
