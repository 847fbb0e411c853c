/** What may be in the package, what must be, and how large it may get. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { redactWithReport } from '../../src/text/redact.ts'
import type { Finding } from './finding.ts'

/** Everything that may be in it; what fits none of these is a mistake. */
const MAY_BE_IN_IT = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|THIRD_PARTY_LICENSES|sbom\.cdx\.json)$/,
  /^bin\/[\w-]+\.js$/,
  /^dist\/(?:chunks\/)?[\w-]+\.js$/,
  /^dist\/index\.d\.ts$/,
  /^dist\/cmaps\/(?:[\w-]+\.bcmap|LICENSE)$/,
  /^dist\/dashboard\/(?:index\.html|icon\.svg|assets\/[\w-]+\.(?:js|css))$/,
  /^native\/(?:NOTICE\.md|onnxruntime-[\d.]+-\w+-\w+\.br)$/,
  /^model\/(?:README\.md|minilm-adapter\.safetensors)$/,
  /^docs\/(?:[\w-]+\/)?[\w-]+\.(?:md|json|png|svg)$/,
  /^examples\/(?:[\w-]+\/)*[\w-]+\.(?:ts|md|yaml|service|timer|path|socket)$/,
  /^demo\/(?:agent|voices)\.js$/,
  /^demo\/story\.json$/,
  /^demo\/project\/(?:[\w-]+\/)*[\w.-]+\.(?:js|json|md)$/,
  /^demo\/project\/\.ralph\/db\/\w+\.yaml$/,
  /^\.claude-plugin\/marketplace\.json$/,
  /^plugins\/claude-code\/(?:[\w.-]+\/)*(?:[\w-]+\.(?:json|md|mjs)|\.mcp\.json)$/,
]

/** Without one of these it would not work, or would not say whose it is. */
const MUST_BE_IN_IT = [
  'LICENSE',
  'README.md',
  'THIRD_PARTY_LICENSES',
  'sbom.cdx.json',
  'bin/ralph.js',
  'dist/cli.js',
  'dist/hook.js',
  'dist/index.d.ts',
  'dist/index.js',
  'dist/dashboard/index.html',
  'native/NOTICE.md',
  'model/minilm-adapter.safetensors',
  ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'].map(
    (platform) => `native/onnxruntime-1.17.0-${platform}.br`,
  ),
]

/** npm runs these on the machine of whoever installs a package. */
const AT_INSTALLATION = ['preinstall', 'install', 'postinstall']

const COMPRESSED = /\.(?:br|bcmap|png|safetensors)$/

/** In code a name says nothing: `password = readPassword()`. There only what gives itself away counts. */
const CODE = /\.(?:js|mjs|ts)$/
const TOLD_BY_NAME = ['password', 'secret']

export const MOST_MB = { packed: 36, unpacked: 48, installed: 150 }

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .toSorted()
}

export function strayFiles(files: readonly string[]): Finding[] {
  return files
    .filter((file) => !MAY_BE_IN_IT.some((pattern) => pattern.test(file)))
    .map((file) => ({
      wrong: `${file} is in the package, and nothing says that it may be`,
      todo: 'keep it out with "files" in package.json, or allow it in scripts/package/contents.ts',
    }))
}

export function missingFiles(files: readonly string[]): Finding[] {
  return MUST_BE_IN_IT.filter((file) => !files.includes(file)).map((file) => ({
    wrong: `${file} is not in the package`,
    todo: 'build anew with npm run build, and see "files" in package.json',
  }))
}

export function installScripts(
  scripts: Readonly<Record<string, string>>,
  files: readonly string[],
): Finding[] {
  const named = AT_INSTALLATION.filter((name) => name in scripts).map((name) => `the script "${name}"`)
  // npm takes this file for one.
  const found = files.includes('binding.gyp') ? [...named, 'binding.gyp'] : named
  return found.map((what) => ({
    wrong: `${what} would run on the machine of everybody who installs the package`,
    todo: 'take it out: nothing of ours runs before somebody starts it',
  }))
}

export function secretsIn(file: string, text: string): Finding[] {
  const { found } = redactWithReport(text)
  const kinds = found.filter(({ kind }) => !(CODE.test(file) && TOLD_BY_NAME.includes(kind)))
  return kinds.map(({ kind, count }) => ({
    wrong: `${file} seems to hold a ${kind}${count > 1 ? ` (${count} times)` : ''}`,
    todo: 'if it is one, withdraw it where it was issued, then take it out; if not, write it so that nobody could take it for one',
  }))
}

/** All of it, of the package as it was unpacked into a folder. */
export function wrongInside(folder: string): Finding[] {
  const files = filesIn(folder)
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const readable = files.filter((file) => !COMPRESSED.test(file))
  return [
    ...strayFiles(files),
    ...missingFiles(files),
    ...installScripts(scripts, files),
    ...readable.flatMap((file) => secretsIn(file, readFileSync(join(folder, file), 'utf8'))),
  ]
}

export function tooLarge(sizes: Readonly<Record<keyof typeof MOST_MB, number>>): Finding[] {
  return (Object.keys(MOST_MB) as (keyof typeof MOST_MB)[])
    .filter((what) => sizes[what] > MOST_MB[what])
    .map((what) => ({
      wrong: `${what} it takes ${sizes[what].toFixed(1)} MB, more than the ${MOST_MB[what]} we promise`,
      todo: 'see what grew (npm pack --dry-run); only what users gain by it may raise scripts/package/contents.ts',
    }))
}

/** What it takes on a disk that gives out blocks of 4 kB. */
export function megabytes(path: string): number {
  const blocks = filesIn(path).map((file) => Math.ceil(statSync(join(path, file)).size / 4096))
  return (blocks.reduce((sum, count) => sum + count, 0) * 4096) / 1024 ** 2
}
