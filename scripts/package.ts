/**
 * Packs the package, installs it in an empty folder as a person would, and looks at it there: what it weighs, whether publint
 * and attw find anything, whether a program compiles against its types, and whether it searches by meaning with what it brought.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMadeForThisSystem } from '../src/embedding/local/shipped-onnxruntime.ts'

/** Of an installation, with all that it depends on. */
const MOST_MB = 150

const root = fileURLToPath(new URL('..', import.meta.url))
const npm = process.env['npm_execpath']
if (!npm) throw new Error('start it with npm: npm run package')

const folder = mkdtempSync(join(tmpdir(), 'ralph-package-'))
const home = join(folder, 'home')

function run(cwd: string, words: readonly string[]): string {
  const options = {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, RALPH_HOME: home, NO_COLOR: '1' },
  } as const
  return execFileSync(process.execPath, words, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
}

function tool(name: string, entry: string): string {
  return join(root, 'node_modules', ...name.split('/'), entry)
}

/** What it takes on a disk that gives out blocks of 4 kB. */
function megabytes(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
  const blocks = files.map(({ parentPath, name }) => Math.ceil(statSync(join(parentPath, name)).size / 4096))
  return (blocks.reduce((sum, count) => sum + count, 0) * 4096) / 1024 ** 2
}

/** As whoever starts with the library would write it, from a module and from CommonJS. */
const PROGRAM = `
import { openRalph, type IterationRecord, type SettingsInput } from 'ralph-memory'
const settings: SettingsInput = { search: { limit: 3 } }
const ralph = await openRalph({ project: '.', settings })
const [first] = await ralph.featureMemory.recent('login', 1)
const record: IterationRecord | undefined = first
console.log(record?.summary.length, (await ralph.board.tasks()).map((task) => task.title.toUpperCase()))
await ralph.close()
`

try {
  console.log('packing …')
  run(root, [npm, 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder])
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
  console.log(
    run(root, [tool('publint', 'src/cli.js'), tarball, '--strict'])
      .trim()
      .split('\n')
      .at(-1),
  )
  run(root, [tool('@arethetypeswrong/cli', 'dist/index.js'), tarball, '--quiet'])
  console.log('attw: no problems')

  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  run(project, [npm, 'install', '--no-audit', '--no-fund', '--silent', tarball])
  const size = Math.round(megabytes(join(project, 'node_modules')))
  console.log(`installed: ${size} MB of at most ${MOST_MB}`)
  if (size > MOST_MB) process.exitCode = 1

  writeFileSync(join(project, 'program.ts'), PROGRAM)
  const strict = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
    'false',
  ]
  run(project, [tool('typescript', 'bin/tsc'), ...strict, '--types', '', 'program.ts'])
  run(project, [
    '-e',
    "if (typeof require('ralph-memory').openRalph !== 'function') process.exit(1)",
    '--input-type=commonjs',
  ])
  console.log('a program compiles against its types, and CommonJS can load it')

  const ralph = (...words: string[]) =>
    run(project, [join(project, 'node_modules', 'ralph-memory', 'bin', 'ralph.js'), ...words])
  ralph(
    'learnings',
    'add',
    '--feature',
    'login',
    'getSession() gives a user id, not a user',
    '--reason',
    'it crashed',
  )
  const { results } = JSON.parse(
    ralph('memory', 'search', 'who is signed in', '--feature', 'login', '--min-score', '0', '--json'),
  )
  const models = existsSync(join(home, 'models')) ? readdirSync(join(home, 'models')) : []
  const unpacked = models.some((name) => name.startsWith('onnxruntime-'))
  const isNative = isMadeForThisSystem()
  if (!results[0]?.matched.includes('meaning') || unpacked !== isNative) {
    throw new Error(`the installed command does not search by meaning with what it brought: ${models}`)
  }
  console.log(
    `the installed command searches by meaning with ${isNative ? 'the library it brought' : 'WebAssembly'}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
