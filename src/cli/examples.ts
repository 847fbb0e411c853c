import type { Command } from 'commander'

const examples = new WeakMap<Command, readonly string[]>()
/** Of a group: enough to see what it is for. */
const MOST_OF_GROUP = 4

/** Examples are shown by --help and in the generated reference. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  examples.set(command, lines)
  return command.addHelpText(
    'after',
    `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`,
  )
}

export function examplesOf(command: Command): readonly string[] {
  return examples.get(command) ?? []
}

/** A group has those of its commands, the shortest of each, unless it has its own. */
export function withGroupExamples(command: Command): void {
  for (const child of command.commands) withGroupExamples(child)
  if (command.commands.length === 0 || examples.has(command)) return
  const lines = command.commands.flatMap((child) =>
    examplesOf(child)
      .toSorted((a, b) => a.length - b.length)
      .slice(0, 1),
  )
  withExamples(command, ...[...new Set(lines)].slice(0, MOST_OF_GROUP))
}
