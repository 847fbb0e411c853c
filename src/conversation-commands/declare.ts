import { Argument, type Command, Option } from 'commander'
import type { CommandOption, ConversationCommand, Given } from './command.ts'
import { COMMAND_GROUPS } from './command-groups.ts'
import { parseFraction, parseOneOf, parseWholeNumber } from './typed-values.ts'

/** Adds a command below the words that its name begins with, so that a surface can read what was typed. */
export function declareCommand(program: Command, name: string, command: ConversationCommand): Command {
  const words = name.split(' ')
  const parent = words
    .slice(0, -1)
    .reduce((above, word, at) => group(above, word, words.slice(0, at + 1)), program)
  const declared = parent
    .command(words.at(-1)!, { isDefault: command.byDefault === true })
    .description(command.description)
  for (const argument of command.arguments?.split(' ') ?? []) declared.addArgument(toArgument(argument))
  for (const option of command.options ?? []) declared.addOption(toOption(option))
  return declared
}

/** What commander hands to an action: the words in front, then the options, then the command. */
export function givenTo(received: readonly unknown[]): Given {
  const words = received
    .slice(0, -2)
    .flat()
    .filter((word) => word !== undefined) as string[]
  return { words, options: received.at(-2) as Given['options'] }
}

function group(above: Command, word: string, path: readonly string[]): Command {
  const known = above.commands.find((command) => command.name() === word)
  if (known) return known
  const name = path.join(' ')
  const described = COMMAND_GROUPS[name] ?? COMMAND_GROUPS[`conversations ${name}`]
  return above.command(word).description(described ?? '')
}

function toArgument(written: string): Argument {
  const argument = new Argument(written)
  const choices = written.slice(1, -1).split('|')
  return choices.length > 1 ? argument.choices(choices) : argument
}

function toOption({ flags, description, value }: CommandOption): Option {
  const option = new Option(flags, description)
  const name = flags.split(' ')[0]!
  if (value === 'count') return option.argParser(parseWholeNumber(name, 1))
  if (value === 'position') return option.argParser(parseWholeNumber(name))
  if (value === 'fraction') return option.argParser(parseFraction(name))
  return value === undefined ? option : option.argParser(parseOneOf(name, value))
}
