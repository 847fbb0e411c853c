import { existsSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Board } from '../board/board.ts'
import type { Config } from '../config.ts'
import type { Deferred } from '../deferred.ts'
import type { EmbedderSource } from '../embedding/embedder.ts'
import { errnoOf, isRalphError, messageOf } from '../errors.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import { readOwnFile, writeOwnFile } from '../files/own-files.ts'
import { temporaryBeside } from '../files/temporary-name.ts'
import type { ProjectIdentity } from '../identity/identity.ts'
import { setUpProject } from '../project-setup.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { StorageSource } from '../storage/storage.ts'
import { type CloneFinding, findLinks, findUntrusted } from './clone-checks.ts'
import { storageStatus } from './status.ts'

export interface DoctorFinding {
  check: string
  /** `warning`: works, but less well than it could. */
  level: 'ok' | 'warning' | 'problem'
  detail: string
  /** What to do about it. */
  hint?: string
}

interface Check {
  name: string
  run: (parts: DoctorParts) => Promise<Omit<DoctorFinding, 'check'>>
  /** Mends what `run` found, where that is safe without asking. */
  fix?: (parts: DoctorParts) => Promise<void>
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

const CHECKS: readonly Check[] = [
  { name: 'Node', run: async () => ok(`${process.version}, ${process.platform} ${process.arch}`) },
  { name: 'project', run: checkProject, fix: async ({ config }) => void (await setUpProject(config)) },
  { name: 'links', run: async ({ config }) => found(findLinks(config), 'none in .ralph') },
  {
    name: 'trust',
    run: async ({ config, board }) => found(await findUntrusted(config, board), 'nothing waits for it'),
  },
  { name: 'writable', run: checkWritable },
  { name: 'disk', run: checkDisk },
  { name: 'board', run: checkBoard },
  { name: 'journals', run: checkJournals },
  { name: 'index', run: checkIndex },
  { name: 'index of the user', run: checkUserIndex },
  {
    name: 'left-over collections',
    run: checkOrphans,
    fix: async ({ featureMemory }) => void (await featureMemory.removeOrphans()),
  },
  { name: 'embedder', run: checkEmbedder },
  { name: 'storage', run: checkStorage },
  { name: 'git', run: checkGitIgnore, fix: async ({ config }) => void (await setUpProject(config)) },
]

/** Looks at everything memory stands on. With `fix`, mends what can be mended without asking, and looks again. */
export async function examine(parts: DoctorParts, { fix = false } = {}): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const { name, run, fix: mend } of CHECKS) {
    let result = await guarded(() => run(parts))
    if (fix && mend && result.level !== 'ok') {
      result = await guarded(async () => {
        await mend(parts)
        const after = await run(parts)
        return after.level === 'ok' ? { ...after, detail: `${after.detail} (mended)` } : after
      })
    }
    findings.push({ check: name, ...result })
  }
  return findings
}

/** A check that breaks is itself a finding. */
async function guarded(
  run: () => Promise<Omit<DoctorFinding, 'check'>>,
): Promise<Omit<DoctorFinding, 'check'>> {
  try {
    return await run()
  } catch (error) {
    return problem(messageOf(error), isRalphError(error) ? error.hint : undefined)
  }
}

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
  const broken = problems.find(({ kind }) => kind === 'broken')
  if (broken) return problem(broken.message, `Correct it in an editor: ${config.paths.database}`)
  if (problems.length === 0)
    return ok(`${(await board.tasks()).length} tasks, ${(await board.features()).length} features`)
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more oddities)` : ''
  return warning(problems[0]!.message + more, `Look at it in an editor: ${config.paths.database}`)
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
    : ok(`${records} records, no damage`)
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

async function checkOrphans({ featureMemory, index }: DoctorParts) {
  if (!(await index.check()).ok) return ok('not to be seen while the index is out of order')
  const orphans = await featureMemory.orphans()
  return orphans.length === 0
    ? ok('none')
    : warning(`${orphans.length} of features that are gone`, 'ralph doctor --fix')
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

function found(finding: CloneFinding | undefined, otherwise: string): Omit<DoctorFinding, 'check'> {
  return finding ? warning(finding.detail, finding.hint) : ok(otherwise)
}

function ok(detail: string): Omit<DoctorFinding, 'check'> {
  return { level: 'ok', detail }
}

function warning(detail: string, hint: string): Omit<DoctorFinding, 'check'> {
  return { level: 'warning', detail, hint }
}

function problem(detail: string, hint: string | undefined): Omit<DoctorFinding, 'check'> {
  return { level: 'problem', detail, ...(hint && { hint }) }
}
