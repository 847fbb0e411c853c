import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromRoot } from '../../scripts/measured/measured-page.ts'
import { diskMegabytes } from '../support/process-costs.ts'
import { packageFolder } from './load.ts'
import type { Peer } from './peer.ts'

/**
 * Installs what of these is not there yet, as their lock has it. Not by `npm ci`, which refuses a lock that lacks parts for
 * other platforms. Scripts of packages are not run: none of them is needed.
 */
export function installPeers(peers: readonly Peer[]): void {
  for (const { folder, title } of peers) {
    if (folder === undefined || isInstalled(folder)) continue
    console.log(`installing ${title} by npm into bench/peers/packages/${folder}/node_modules …`)
    runNpm(
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      packageFolder(folder),
    )
  }
}

/** As npm notes it once it is through; another version than the lock names is none. */
function isInstalled(folder: string): boolean {
  const note = join(packageFolder(folder), 'node_modules', '.package-lock.json')
  if (!existsSync(note)) return false
  const versions = (file: string) =>
    JSON.parse(readFileSync(file, 'utf8')).packages as { [path: string]: { version: string } }
  const [there, wanted] = [versions(note), versions(join(packageFolder(folder), 'package-lock.json'))]
  return dependenciesOf(folder).every((name) => {
    const path = `node_modules/${name}`
    return there[path]?.version === wanted[path]?.version
  })
}

function dependenciesOf(folder: string): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(packageFolder(folder), 'package.json'), 'utf8')) as {
    dependencies: { [name: string]: string }
  }
  return Object.keys(dependencies)
}

/** Name and version of what was asked for by name. */
export function versionsOf({ folder }: Peer, ownVersion: string): string[] {
  if (folder === undefined) return [`ralph-memory ${ownVersion}`]
  return dependenciesOf(folder).map((name) => {
    const about = join(packageFolder(folder), 'node_modules', ...name.split('/'), 'package.json')
    return `${name} ${(JSON.parse(readFileSync(about, 'utf8')) as { version: string }).version}`
  })
}

/** With all that it depends on. */
export function installedMegabytes({ folder }: Peer): number | undefined {
  return folder === undefined ? undefined : diskMegabytes(join(packageFolder(folder), 'node_modules'))
}

/** Ours as a person would have it: packed, and installed into an empty folder. */
export function ownInstalledMegabytes(scratch: string): number {
  const folder = join(scratch, 'installed')
  mkdirSync(folder, { recursive: true })
  try {
    runNpm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], fromRoot('.'))
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
    runNpm(['install', '--no-audit', '--no-fund', '--silent', `./${tarball}`], folder)
    return diskMegabytes(join(folder, 'node_modules'))
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** By its own file: on Windows npm is a script for a shell. */
function runNpm(words: readonly string[], cwd: string): void {
  const npm = process.env['npm_execpath']
  if (!npm) throw new Error('npm is not known here\n  start it with npm: npm run bench -- peers')
  const { status, stderr } = spawnSync(process.execPath, [npm, ...words], { cwd, encoding: 'utf8' })
  if (status !== 0)
    throw new Error(
      `npm ${words[0]} failed in ${cwd}\n  ${stderr.trim().split('\n').slice(0, 4).join('\n  ')}`,
    )
}
