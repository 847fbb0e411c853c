import { existsSync, lstatSync, renameSync } from 'node:fs'
import type { Config } from '../config.ts'
import { isRalphError } from '../errors.ts'
import type { FeatureMemory, JournalReport } from '../feature-memory/feature-memory.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { plural } from '../text/plural.ts'
import type { DoctorParts } from './checks.ts'
import { FIX, ok, pending, problem, type Result, together, warning } from './finding.ts'

const IN_AN_EDITOR = 'Correct it in an editor'

export async function checkBoard({ board, config }: DoctorParts): Promise<Result> {
  const problems = await board.problems()
  const found = problems.map(({ kind, message, hint, mendable }) => {
    const step = mendable ? FIX : (hint ?? `${IN_AN_EDITOR}: ${config.paths.database}`)
    return kind === 'broken'
      ? problem(message, step, 'Features and tasks cannot be used until it is corrected.')
      : warning(message, step, 'Everything works, but probably not as meant.')
  })
  if (found.length > 0) return together(found, '')
  const [tasks, features] = [await board.tasks(), await board.features()]
  return ok(`${plural(tasks.length, 'task')}, ${plural(features.length, 'feature')}`)
}

export async function mendBoard({ board }: DoctorParts): Promise<string> {
  return (await board.mend()).join('; ') || 'the rest is for you: it may be meant so'
}

export async function checkJournals({ featureMemory }: DoctorParts): Promise<Result> {
  const reports = await verifyAll(featureMemory)
  const found = reports.flatMap(({ feature, damaged }) =>
    damaged.map(({ line, reason, newer }) =>
      newer
        ? warning(`${feature}, line ${line}: ${reason}`, 'Update ralph-memory.', 'It is left out until then.')
        : problem(`${feature}, line ${line}: ${reason}`, FIX, 'It is left out of every search.'),
    ),
  )
  const records = reports.reduce((sum, report) => sum + report.records, 0)
  const aside = reports.filter(({ setAside }) => setAside > 0)
  const kept = aside.map(({ path, setAside }) => `${plural(setAside, 'line')} set aside in ${path}.torn`)
  return together(found, [`${plural(records, 'record')}, no damage`, ...kept].join('; '))
}

async function verifyAll(featureMemory: FeatureMemory): Promise<JournalReport[]> {
  const reports: JournalReport[] = []
  for (const feature of await featureMemory.features()) reports.push(await featureMemory.verify(feature))
  return reports
}

export async function mendJournals({ featureMemory }: DoctorParts): Promise<string> {
  const done: string[] = []
  for (const feature of await featureMemory.features()) {
    const journal = featureMemory.journal(feature)
    const { path } = journal
    const moved = await journal.setDamagedAside()
    if (moved > 0) done.push(`moved ${plural(moved, 'line')} that nobody can read to ${path}.torn`)
  }
  return done.join('; ') || 'nothing of it could be mended'
}

const MEANS_WITHOUT = 'Searches do without it: by words only and more slowly. What is recorded is kept.'
const MEANS_AS_IT_STANDS =
  'Searches find what is in it already; what is new is not found until it can be written.'

/** Disposable, so little about it is worse than a warning: whoever searches next builds it again. */
export async function checkIndex({ config, index, featureMemory }: DoctorParts): Promise<Result> {
  // One that can only be read (a key that may not write, a full disk) is told from one that is out of order.
  const looked = await index.check()
  const { ok: fine, detail, hint } = looked.ok ? await index.check({ thorough: true }) : looked
  if (!fine && isOwnFile(config)) {
    if (isForeign(config.paths.index)) return problem(detail, FIX, MEANS_WITHOUT)
    return warning(detail, FIX, 'The next search builds it again by itself; nothing is lost.')
  }
  if (!fine) return problem(detail, hint, looked.ok ? MEANS_AS_IT_STANDS : MEANS_WITHOUT)
  const behind = await notLevel(featureMemory)
  if (behind.length === 0) return ok(detail)
  return pending(`${detail}; the next search takes in what is new in ${behind.join(', ')}`)
}

async function notLevel(featureMemory: FeatureMemory): Promise<string[]> {
  const behind: string[] = []
  for (const feature of await featureMemory.features())
    if (!(await featureMemory.isLevel(feature))) behind.push(feature)
  return behind
}

export async function mendIndex({ config, index, featureMemory }: DoctorParts): Promise<string> {
  const before = await index.check({ thorough: true })
  const made = before.ok ? [] : await emptied(index, config.paths.index)
  const features = await featureMemory.features()
  for (const feature of features) await featureMemory.catchUp(feature)
  return [...made, `built it from the journals of ${plural(features.length, 'feature')}`].join('; ')
}

/** Looking does not make what is not there yet. */
export async function checkUserIndex({ userIndex, homeIndexes }: DoctorParts): Promise<Result> {
  if (!homeIndexes) return ok('the same')
  const path = await homeIndexes.path().catch(() => undefined)
  if (path === undefined) return ok('not to be seen while the storage cannot be reached')
  if (!existsSync(path)) return ok('nothing in it yet')
  const { ok: fine, detail } = await userIndex.check({ thorough: true })
  if (fine) return ok(detail)
  if (isForeign(path)) return problem(detail, FIX, MEANS_WITHOUT)
  return warning(
    detail,
    FIX,
    'The next search of knowledge or conversations builds it again; nothing is lost.',
  )
}

export async function mendUserIndex({ userIndex, homeIndexes }: DoctorParts): Promise<string> {
  const made = await emptied(userIndex, await homeIndexes!.path())
  return `${made.join('; ')}; the next search of knowledge or conversations fills it`
}

/** On a server others may keep theirs. */
function isOwnFile({ settings }: Config): boolean {
  return settings.index.driver === 'sqlite'
}

/** A folder, or what else is no file: nobody builds anything in its place. */
function isForeign(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === false
}

async function emptied(index: SearchIndex, path: string): Promise<string[]> {
  try {
    if (!isForeign(path)) {
      await index.reset()
      if ((await index.check()).ok) return ['emptied it']
    }
  } catch (error) {
    if (!isRalphError(error) || error.code === 'conflict') throw error
  }
  // Not ours to delete: a database of another program, or a folder.
  await index.close()
  const aside = asideOf(path)
  renameSync(path, aside)
  return [`moved what lay in its place to ${aside}`]
}

function asideOf(path: string): string {
  for (let number = 1; ; number++) {
    const aside = `${path}.old${number === 1 ? '' : number}`
    if (!existsSync(aside)) return aside
  }
}

export async function checkOrphans({ featureMemory, index }: DoctorParts): Promise<Result> {
  if (!(await index.check()).ok) return ok('not to be seen while the index is out of order')
  const orphans = await featureMemory.orphans()
  return orphans.length === 0
    ? ok('none')
    : warning(`${orphans.length} of features that are gone`, FIX, 'They only take room.')
}

export async function removeOrphans({ featureMemory }: DoctorParts): Promise<string> {
  return `removed ${plural((await featureMemory.removeOrphans()).length, 'collection')} of features that are gone`
}

/** The only honest test of an embedder is an embedding. */
export async function tryEmbedder({ config, embedder }: DoctorParts): Promise<Result> {
  if (config.settings.embedder.provider === 'none')
    return warning(
      'switched off in the settings',
      'ralph config unset embedder.provider',
      'Search goes by words only: what is said in other words is not found.',
    )
  const open = await embedder()
  const health = await open.check()
  const means = 'Search goes by words only until it is back.'
  if (!health.ok) return problem(health.detail, health.hint, means)
  await open.embed(['a test'], 'query')
  return ok(`${open.model}, ${open.dimensions} dimensions, ${health.detail}`)
}
