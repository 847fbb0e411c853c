/** The installed package as a library: a program compiles against its types, and runs, from a module and from CommonJS. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Newcomer } from './newcomer.ts'
import { node, npm, tool } from './npm.ts'

/** As whoever starts with the library would write it. */
const PROGRAM = `
import { openRalph, type IterationRecord, type SettingsInput } from 'ralph-memory'
const settings: SettingsInput = { search: { limit: 3 } }
const ralph = await openRalph({ project: '.', settings })
const [first] = await ralph.featureMemory.recent('login', 1)
const record: IterationRecord | undefined = first
console.log(record?.summary.length, (await ralph.board.tasks()).map((task) => task.title.toUpperCase()))
await ralph.close()
`

const STRICT = '--strict --module nodenext --target es2023 --skipLibCheck false --types'.split(' ')

const COMMON_JS = "if (typeof require('ralph-memory').openRalph !== 'function') process.exit(1)"

/** A project that has the package as a dependency. */
export function installAsLibrary(folder: string, tarball: string): string {
  const consumer = join(folder, 'consumer')
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  npm(consumer, ['install', '--no-audit', '--no-fund', '--silent', tarball])
  writeFileSync(join(consumer, 'program.ts'), PROGRAM)
  writeFileSync(join(consumer, 'program.cjs'), COMMON_JS)
  node(consumer, [tool('typescript', 'bin/tsc'), ...STRICT, '', 'program.ts'])
  return consumer
}

/** Run in the newcomer's project, which has one run by now. */
export function runLibrary({ node }: Newcomer, consumer: string): void {
  const said = node(join(consumer, 'program.js'))
  if (!/^\d+ \[.*\]$/s.test(said.trim())) throw new Error(`the program said: ${said}`)
  node(join(consumer, 'program.cjs'))
}
