/**
 * Packs the package and looks at it as whoever installs it will: licences, parts, contents, size, types, and then a newcomer
 * without rights who installs it and uses everything once. docs/supply-chain.md tells it in words.
 *
 *   npm run package                       all of it
 *   npm run package -- --out release      and keeps the tarball with its licences and its list of parts
 *   npm run package -- --audit required   fails where the registry cannot say what is vulnerable
 *   npm run package -- --tag v1.2.3       and is what this tag says
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { audit } from './package/audit.ts'
import { filesIn, MOST_MB, megabytes, tooLarge, wrongInside } from './package/contents.ts'
import { type Checked, report } from './package/finding.ts'
import { installAsLibrary, runLibrary } from './package/library.ts'
import { LICENCES_PAGE } from './package/licences-page.ts'
import { Newcomer } from './package/newcomer.ts'
import { writeNotices } from './package/notices.ts'
import { complaint, inFolder, npm, root, tool } from './package/npm.ts'
import { differences, makeReadOnly, makeWritable, stateOf } from './package/read-only.ts'
import { wrongForRelease } from './package/release.ts'
import { SBOM } from './package/sbom.ts'
import { SMOKE } from './package/smoke.ts'
import { unpack } from './package/unpack.ts'

const { values } = parseArgs({
  options: { out: { type: 'string' }, audit: { type: 'string' }, tag: { type: 'string' } },
})

const LIBRARY = 'a program of the library, from a module and from CommonJS, compiled with its types'

function check(checked: Checked): void {
  if (!report(checked)) process.exitCode = 1
}

/** One file, exactly as npm would publish it. */
function pack(folder: string): string {
  npm(root, ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder])
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
}

function checkForm(tarball: string): void {
  const tools = [
    { name: 'publint', words: [tool('publint', 'src/cli.js'), tarball, '--strict'] },
    { name: 'attw', words: [tool('@arethetypeswrong/cli', 'dist/index.js'), tarball, '--quiet'] },
  ]
  for (const { name, words } of tools) {
    const wrong = complaint(words)
    const todo = 'see "exports", "types" and "files" in package.json'
    const found = wrong === undefined ? [] : [{ wrong: `${name}: ${wrong}`, todo }]
    check({ said: `${name}: no problems`, found })
  }
}

function checkContents(folder: string, tarball: string, consumer: string): void {
  const unpacked = unpack(tarball, join(folder, 'unpacked'))
  const sizes = {
    packed: statSync(tarball).size / 1024 ** 2,
    unpacked: megabytes(unpacked),
    installed: megabytes(join(consumer, 'node_modules')),
  }
  const inWords = (Object.keys(MOST_MB) as (keyof typeof MOST_MB)[]).map(
    (what) => `${what} ${sizes[what].toFixed(1)} of at most ${MOST_MB[what]} MB`,
  )
  check({
    said: `contents: ${filesIn(unpacked).length} files, each allowed, no secret, no install script`,
    found: wrongInside(unpacked),
  })
  check({ said: `size: ${inWords.join(', ')}`, found: tooLarge(sizes) })
}

async function checkUse(folder: string, tarball: string, consumer: string): Promise<void> {
  const prefix = join(folder, 'prefix')
  npm(folder, ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', '--silent', tarball])
  const installed = [prefix, consumer]
  for (const each of installed) makeReadOnly(each)
  try {
    const newcomer = new Newcomer(folder, prefix)
    const before = installed.map(stateOf)
    for (const { title, run } of [...SMOKE, { title: LIBRARY, run: () => runLibrary(newcomer, consumer) }]) {
      check(await tried(`installed, ${newcomer.title}: ${title}`, () => run(newcomer)))
    }
    const changed = installed.flatMap((each, index) => differences(before[index]!, stateOf(each)))
    check({
      said: 'nothing was written outside of home and project',
      found: [...changed, ...newcomer.leftOutside()].map((path) => ({
        wrong: `using the package has written ${path}`,
        todo: 'write into the project or ~/.ralph, and clear away what is for a moment',
      })),
    })
  } finally {
    for (const each of installed) makeWritable(each)
  }
}

async function tried(said: string, run: () => void | Promise<void>): Promise<Checked> {
  try {
    await run()
    return { said, found: [] }
  } catch (error) {
    const todo = 'keep the tarball (--out release), npm install -g it, and do the same by hand'
    return { said, found: [{ wrong: `${said}: ${error instanceof Error ? error.message : error}`, todo }] }
  }
}

function keep(tarball: string, out: string): void {
  mkdirSync(out, { recursive: true })
  copyFileSync(tarball, join(out, tarball.slice(tarball.lastIndexOf('ralph-memory-'))))
  for (const name of [SBOM, LICENCES_PAGE]) copyFileSync(join(root, name), join(out, name))
  console.log(`kept in ${out}`)
}

if (values.tag !== undefined) {
  const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  check({ said: `it is ${values.tag}`, found: wrongForRelease(values.tag, description, changelog) })
}
check(audit(root, values.audit === 'required'))
check(await writeNotices())
await inFolder('package', async (folder) => {
  const tarball = pack(folder)
  checkForm(tarball)
  const consumer = installAsLibrary(folder, tarball)
  checkContents(folder, tarball, consumer)
  await checkUse(folder, tarball, consumer)
  if (values.out !== undefined && !process.exitCode) keep(tarball, resolve(root, values.out))
})
