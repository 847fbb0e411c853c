/**
 * Writes docs/json.md: runs every command in a sample project and notes which keys its JSON has; with --check only says whether
 * it is up to date.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMAND_TABLE, HELP_GROUPS } from '../src/cli/command-table.ts'
import { JSON_CALLS, type JsonAnswer, jsonAnswers } from '../test/support/json-calls.ts'
import { addValue, emptyShape, misspelled, type Shape, shapeText } from './json-shapes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
export const JSON_PAGE = join(root, 'docs', 'json.md')

const INTRODUCTION = `# JSON for programs

With \`--json\` a command prints one JSON value to standard output, indented; \`ralph loop\` prints one in each line while it runs. Keys are
spelled as on disk (snake_case). A key may be added in any version; one that is here goes, or means something else, only in a new major
version. \`?\` marks what may be absent, \`[name]\` stands for keys that are data. Times are ISO 8601 in UTC. Made by \`npm run docs\` from what
the commands print in a sample project; a test compares.

## Errors

Whatever goes wrong, the value is this, and the exit code is 2 where the words of the command are wrong (code \`usage\`), else 1:

\`\`\`ts
{ error: { code: string; message: string; hint?: string } }
\`\`\``

const HELD_BACK_PART = `## In a run without memory

A command that would tell of memory prints this instead, with exit code 0, to an agent whose run was
[drawn to go without it](loop.md#with-and-without-memory):

\`\`\`ts
{ held_back: true; note: string }
\`\`\``

/** The codes, as errors.ts lists them. */
function errorCodes(): string {
  const text = readFileSync(join(root, 'src', 'errors.ts'), 'utf8')
  const union = /export type ErrorCode =\n([\s\S]*?)\n\n/.exec(text)![1]!
  return [...union.matchAll(/\| '(\w+)'/g)].map(([, code]) => `\`${code}\``).join(', ')
}

/** The page, and keys in it that are not spelled as they should be. */
export function jsonPage(answers: ReadonlyMap<string, JsonAnswer>, names: readonly string[]) {
  const named = new Map<string, Shape>()
  const shapes = new Map<string, Shape>()
  for (const [name, { values }] of answers) {
    const shape = emptyShape()
    for (const value of values) addValue(shape, value, named)
    shapes.set(name, shape)
  }
  const types = [...named].toSorted(([a], [b]) => a.localeCompare(b))
  const page = [
    INTRODUCTION,
    `The codes: ${errorCodes()}. \`hint\` is the next step, usually a command.`,
    HELD_BACK_PART,
    '## What several commands print',
    code(types.map(([name, shape]) => `type ${name} = ${shapeText(shape)}`).join('\n\n')),
    ...Object.entries(HELP_GROUPS).flatMap(([group, title]) => {
      const below = COMMAND_TABLE.filter((entry) => entry.group === group).map(({ name }) => name)
      const inGroup = names.filter((name) => below.includes(name.split(' ')[0]!))
      const byText = Map.groupBy(inGroup, (name) => said(name, shapes))
      const entries = [...byText].map(([text, like]) => `${like.map(command).join(', ')}\n\n${text}`)
      return [`## ${title}`, ...entries]
    }),
  ]
  return {
    text: `${page.join('\n\n')}\n`,
    misspelled: [...named.values(), ...shapes.values()].flatMap(misspelled),
  }
}

function said(name: string, shapes: ReadonlyMap<string, Shape>): string {
  const call = JSON_CALLS[name]
  return typeof call === 'string' ? call : code(shapeText(shapes.get(name)!))
}

function command(name: string): string {
  return `\`ralph ${name}\``
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``
}

// Not import.meta.main, which Node 22 does not have.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { allCommandNames } = await import('../test/support/json-calls.ts')
  const folder = mkdtempSync(join(tmpdir(), 'ralph-json-'))
  const { text } = jsonPage(await jsonAnswers(folder), await allCommandNames())
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  if (!process.argv.includes('--check')) writeFileSync(JSON_PAGE, text)
  else if (readFileSync(JSON_PAGE, 'utf8') === text) console.log('docs/json.md is up to date')
  else {
    console.error('docs/json.md is out of date: run npm run docs')
    process.exitCode = 1
  }
}
