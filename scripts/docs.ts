/** Writes docs/cli.md from the command definitions; with --check only says whether it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { COMMAND_TABLE, HELP_GROUPS } from '../src/cli/command-table.ts'
import { examplesOf } from '../src/cli/examples.ts'
import { wholeProgram } from '../src/cli/program.ts'

const path = fileURLToPath(new URL('../docs/cli.md', import.meta.url))

const INTRODUCTION = `# The \`ralph\` command

Made from the command definitions by \`npm run docs\`; \`npm run docs:check\` fails when it is out of date.

Data goes to standard output, talk and progress to standard error. \`--json\` prints one JSON value with the spelling used
on disk (snake_case); [json.md](json.md) shows it for every command. Exit code 0: done; 1: failed; 2: wrong usage. Errors are one line
saying what is wrong and one saying what to do, with \`--json\` as JSON. \`ralph help TOPIC\` shows the pages beside this one. Colours,
progress and wrapped lines appear only on a terminal; \`NO_COLOR\` is honoured, and \`COLUMNS\` stands for its width. \`RALPH_HOME\` moves the user's
data (default \`~/.ralph\`).
`

/** In the order of the help. */
function groups(program: Command): string[] {
  return Object.entries(HELP_GROUPS).flatMap(([group, title]) => {
    const names = COMMAND_TABLE.filter((entry) => entry.group === group).map(({ name }) => name)
    const commands = program.commands.filter((command) => names.includes(command.name()))
    return [`## ${title}`, ...commands.flatMap((command) => section(command, ['ralph']))]
  })
}

function section(command: Command, parents: readonly string[]): string[] {
  const name = [...parents, command.name()].join(' ')
  return [
    `${'#'.repeat(Math.min(5, parents.length + 2))} \`${name}\``,
    sentence(command.description()),
    ...(command.commands.length === 0
      ? [`\`\`\`text\n${name} ${command.usage()}\n\`\`\``, optionTable(command), exampleBlock(command)]
      : []),
    ...command.commands.flatMap((child) => section(child, [...parents, command.name()])),
  ].filter((part) => part !== '')
}

function sentence(text: string): string {
  return text && `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

function optionTable(command: Command): string {
  if (command.options.length === 0) return ''
  const rows = command.options.map(
    (option) =>
      `| \`${option.flags}\` | ${escapeCell(option.description)}${option.mandatory ? ' (required)' : ''} |`,
  )
  return ['| option | meaning |', '|---|---|', ...rows].join('\n')
}

function exampleBlock(command: Command): string {
  const lines = examplesOf(command)
  return lines.length === 0 ? '' : `\`\`\`sh\n${lines.join('\n')}\n\`\`\``
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

const text = `${[INTRODUCTION, ...groups(await wholeProgram())].join('\n\n').replaceAll('\n\n\n', '\n\n')}\n`
if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    console.error('docs/cli.md is out of date: run npm run docs')
    process.exit(1)
  }
  console.log('docs/cli.md is up to date')
} else {
  writeFileSync(path, text)
}
