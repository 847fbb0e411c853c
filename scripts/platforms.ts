/**
 * Lets npm install this package for every platform we promise and says which lacks a part in native code.
 * It asks npm what it would install, which takes a second each; with --real it installs, in a temporary folder.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Without one of these the build, the lint or the tests do not start. */
const NATIVE = ['@rolldown/binding-', '@biomejs/cli-', '@typescript/typescript-', 'lightningcss-']

const PLATFORMS = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
  { os: 'win32', cpu: 'arm64' },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const real = process.argv.includes('--real')
const npm = process.env['npm_execpath']
if (!npm) throw new Error('start it with npm: npm run platforms')

function installed(platform: (typeof PLATFORMS)[number]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-platform-'))
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(folder, name))
    const target = Object.entries(platform).map(([option, value]) => `--${option}=${value}`)
    const flags = [...target, '--ignore-scripts', '--no-audit', '--no-fund', ...(real ? [] : ['--dry-run'])]
    const output = execFileSync(process.execPath, [npm!, 'install', '--loglevel=error', ...flags], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (!real) return [...output.matchAll(/^add (\S+) /gm)].map(([, name]) => name!)
    const tree = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
    return Object.keys(tree.packages).map((path) => path.replace(/^.*node_modules\//, ''))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const platform of PLATFORMS) {
  const names = installed(platform)
  const missing = NATIVE.filter((prefix) => !names.some((name) => name.startsWith(prefix)))
  const title = Object.values(platform).join(' ')
  console.log(
    `${title}: ${missing.length === 0 ? `${names.length} packages` : `no ${missing.join(', no ')}`}`,
  )
  if (missing.length > 0) process.exitCode = 1
}
