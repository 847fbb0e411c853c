import { existsSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Board } from '../board/board.ts'
import { type Config, projectLayer, userLayer } from '../config.ts'
import type { Deferred } from '../deferred.ts'
import type { EmbedderSource } from '../embedding/embedder.ts'
import { errnoOf, messageOf } from '../errors.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import { readOwnFile, writeOwnFile } from '../files/own-files.ts'
import { temporaryBeside } from '../files/temporary-name.ts'
import type { ProjectIdentity } from '../identity/identity.ts'
import { setUpProject } from '../project-setup.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { StorageSource } from '../storage/storage.ts'
import { plural } from '../text/plural.ts'
import { type CloneFinding, findLinks, findUntrusted } from './clone-checks.ts'
import { ok, problem, type Result, warning, withList } from './finding.ts'
import { storageStatus } from './status.ts'

interface Check {
  name: string
  run: (parts: DoctorParts) => Promise<Result>
  /** Mends what `run` found, where that is safe without asking, and says what it did. */
  fix?: (parts: DoctorParts) => Promise<string>
  /** Where it can be mended; anywhere unless told. */
  isOurs?: (config: Config) => boolean
}

export interface DoctorParts {
  config: Config
  identity: ProjectIdentity
  index: SearchIndex
  /** The user's, of all projects. */
  userIndex: SearchIndex
  embedder: EmbedderSource
  featureMemory: FeatureMemory
  board: Deferred<Board>
  storage: StorageSource
}

const LOW_DISK_BYTES = 200 * 1024 * 1024

/** Everything memory stands on, in the order in which one would look. */
export const CHECKS: readonly Check[] = [
  { name: 'Node', run: async () => ok(`${process.version}, ${process.platform} ${process.arch}`) },
  { name: 'project', run: checkProject, fix: setUpAgain },
  { name: 'settings', run: checkSettings },
  { name: 'links', run: async ({ config }) => found(findLinks(config), 'none in .ralph') },
  {
    name: 'trust',
    run: async ({ config, board }) => found(await findUntrusted(config, board), 'nothing waits for it'),
  },
  { name: 'writable', run: checkWritable },
  { name: 'disk', run: checkDisk },
  { name: 'board', run: checkBoard },
  { name: 'journals', run: checkJournals },
  { name: 'index', run: checkIndex, fix: ({ index }) => emptied(index), isOurs: isOwnFile },
  {
    name: 'index of the user',
    run: checkUserIndex,
    fix: ({ userIndex }) => emptied(userIndex),
    isOurs: isOwnFile,
  },
  { name: 'left-over collections', run: checkOrphans, fix: removeOrphans },
  { name: 'embedder', run: checkEmbedder },
  { name: 'storage', run: checkStorage },
  { name: 'git', run: checkGitIgnore, fix: setUpAgain },
]

async function checkProject({ config, identity }: DoctorParts) {
  const { project, paths } = config
  if (!existsSync(join(paths.database, 'features.yaml')))
    return warning(`${project} has no .ralph/db yet`, 'ralph init')
  const { problem: trouble, elsewhere } = identity.look()
  if (trouble) return warning(trouble.message, trouble.hint)
  if (!existsSync(paths.identity))
    return warning(
      `${paths.identity} is missing: no other copy of the project finds its memory`,
      'ralph doctor --fix',
    )
  return ok([project, ...elsewhere].join(', also in '))
}

/** They were read at the start; somebody may have changed them since. */
async function checkSettings({ config }: DoctorParts) {
  const { checkedLayer } = await import('../settings-schema.ts')
  checkedLayer(userLayer(config.paths))
  const { untrusted } = await projectLayer(config)
  return ok(untrusted.length === 0 ? 'can be read' : 'can be read; some wait for trust')
}

async function setUpAgain({ config }: DoctorParts): Promise<string> {
  const made = (await setUpProject(config)).filter(({ action }) => action === 'created')
  return made.length === 0 ? 'nothing was missing' : `made ${made.map(({ path }) => path).join(', ')}`
}

async function checkWritable({ config }: DoctorParts) {
  for (const folder of [config.paths.database, config.paths.cache, config.home]) {
    if (!existsSync(folder)) continue
    try {
      // Asking for the right to is no answer: a full or read-only disk has it too, and Windows says yes to everything.
      const probe = temporaryBeside(join(folder, 'doctor'))
      writeOwnFile(probe, 'can this be written?', { access: 'create' })
      await rm(probe)
    } catch (error) {
      const why = errnoOf(error) ?? messageOf(error)
      return problem(`${folder} cannot be written (${why})`, 'Check its owner and permissions, and the disk.')
    }
  }
  return ok('project and user data can be written')
}

async function checkDisk({ config }: DoctorParts) {
  const { bavail, bsize } = await statfs(config.project)
  const free = bavail * bsize
  const detail = `${Math.round(free / 1024 / 1024)} MB free`
  return free < LOW_DISK_BYTES
    ? warning(detail, 'Free some space: records are refused when the disk is full.')
    : ok(detail)
}

async function checkBoard({ board, config }: DoctorParts) {
  const problems = await board.problems()
  const broken = problems.filter(({ kind }) => kind === 'broken')
  if (broken.length > 0)
    return withList(
      problem(broken[0]!.message, `Correct it in an editor: ${config.paths.database}`),
      broken.map(({ message }) => message),
    )
  if (problems.length === 0)
    return ok(
      `${plural((await board.tasks()).length, 'task')}, ${plural((await board.features()).length, 'feature')}`,
    )
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more oddities)` : ''
  return withList(
    warning(problems[0]!.message + more, `Look at it in an editor: ${config.paths.database}`),
    problems.map(({ message }) => message),
  )
}

async function checkJournals({ featureMemory }: DoctorParts) {
  let records = 0
  const damaged: string[] = []
  for (const feature of await featureMemory.features()) {
    const report = await featureMemory.verify(feature)
    records += report.records
    if (report.damaged.length > 0) damaged.push(`${feature}: ${report.damaged.length} damaged lines`)
  }
  return damaged.length > 0
    ? problem(damaged.join('; '), 'ralph memory verify')
    : ok(`${plural(records, 'record')}, no damage`)
}

async function checkIndex({ index }: DoctorParts) {
  const { ok: fine, detail, hint } = await index.check({ thorough: true })
  return fine ? ok(detail) : problem(detail, hint ?? 'ralph memory rebuild')
}

/** Looking does not make what is not there yet. */
async function checkUserIndex({ config, index, userIndex }: DoctorParts) {
  if (userIndex === index) return ok('the same')
  if (!existsSync(config.paths.userIndex)) return ok('nothing in it yet')
  const { ok: fine, detail } = await userIndex.check({ thorough: true })
  return fine
    ? ok(detail)
    : problem(detail, 'The next search of knowledge or conversations builds it again, if it can be written.')
}

/** On a server others may keep theirs. */
function isOwnFile({ settings }: Config): boolean {
  return settings.index.driver === 'sqlite'
}

async function emptied(index: SearchIndex): Promise<string> {
  await index.reset()
  return 'emptied it; the next search builds it again from what is stored'
}

async function checkOrphans({ featureMemory, index }: DoctorParts) {
  if (!(await index.check()).ok) return ok('not to be seen while the index is out of order')
  const orphans = await featureMemory.orphans()
  return orphans.length === 0
    ? ok('none')
    : warning(`${orphans.length} of features that are gone`, 'ralph doctor --fix')
}

async function removeOrphans({ featureMemory }: DoctorParts): Promise<string> {
  return `removed ${plural((await featureMemory.removeOrphans()).length, 'collection')} of features that are gone`
}

/** The only honest test of an embedder is an embedding. */
async function checkEmbedder({ embedder }: DoctorParts) {
  const open = await embedder()
  const health = await open.check()
  if (!health.ok) return problem(health.detail, health.hint)
  await open.embed(['a test'], 'query')
  return ok(`${open.model}, ${open.dimensions} dimensions, ${health.detail}`)
}

async function checkStorage(parts: DoctorParts) {
  const { ok: fine, detail, hint } = await storageStatus(parts)
  return fine ? ok(detail) : problem(detail, hint)
}

async function checkGitIgnore({ config }: DoctorParts) {
  const { project, paths } = config
  const folders = [paths.cache, join(project, '.ralph')]
  if (!existsSync(paths.cache)) return ok('nothing to ignore yet')
  const rules = folders.map((folder) => ignored(join(folder, '.gitignore')))
  return /^\*$/m.test(rules[0]!) || /^cache\/?$/m.test(rules[1]!)
    ? ok('the cache is git-ignored, the journals are not')
    : warning('.ralph/cache is not git-ignored', 'ralph doctor --fix')
}

function ignored(path: string): string {
  try {
    return readOwnFile(path).toString('utf8')
  } catch {
    return '' // nothing
  }
}

function found(finding: CloneFinding | undefined, otherwise: string): Result {
  return finding ? warning(finding.detail, finding.hint) : ok(otherwise)
}
