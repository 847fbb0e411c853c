/** Writes docs/cli.md from the command definitions; with --check only says whether it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { examplesOf } from '../src/cli/command.ts'
import { wholeProgram } from '../src/cli/program.ts'

const path = fileURLToPath(new URL('../docs/cli.md', import.meta.url))

const INTRODUCTION = `# The \`ralph\` command

Made from the command definitions by \`npm run docs\`; \`npm run docs:check\` fails when it is out of date.

Data goes to standard output, talk and progress to standard error. \`--json\` prints one JSON value with the spelling used
on disk (snake_case). Exit code 0: done; 1: failed; 2: wrong usage. Errors are one line saying what is wrong and one
saying what to do. Colours and progress appear only on a terminal; \`NO_COLOR\` is honoured. \`RALPH_HOME\` moves the user's
data (default \`~/.ralph\`).
`

function section(command: Command, parents: readonly string[]): string[] {
  const name = [...parents, command.name()].join(' ')
  const here =
    parents.length === 0
      ? []
      : [
          `${'#'.repeat(Math.min(4, parents.length + 1))} \`${name}\``,
          sentence(command.description()),
          ...(command.commands.length === 0
            ? [`\`\`\`text\n${name} ${command.usage()}\n\`\`\``, optionTable(command), exampleBlock(command)]
            : []),
        ]
  return [
    ...here,
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

const text = `${[INTRODUCTION, ...section(await wholeProgram(), [])].join('\n\n').replaceAll('\n\n\n', '\n\n')}\n`
if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    console.error('docs/cli.md is out of date: run npm run docs')
    process.exit(1)
  }
  console.log('docs/cli.md is up to date')
} else {
  writeFileSync(path, text)
}
