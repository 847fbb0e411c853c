import { type Config, resolveConfig, type Settings } from '../config.ts'
import { EXCHANGES, SUMMARIES } from '../conversation-memory/documents.ts'
import { DOCUMENTS } from '../documents/document-index.ts'
import { isRalphError, RalphError, throwIfAborted } from '../errors.ts'
import { COLLECTION as KNOWLEDGE } from '../project-knowledge/entries-source.ts'
import { assemble, type OpenOptions, type Ralph } from '../ralph.ts'
import { urlWithoutSecrets } from '../text/shown-url.ts'
import {
  type ComparedCollection,
  compareCounts,
  compareSearches,
  type SampledSearches,
} from './index-check.ts'
import { type Backend, type Move, planMoves, settingsOf, settingsToWrite } from './plan.ts'
import { type CopyReport, copyStorage } from './storage-copy.ts'
import type { Side } from './table-copy.ts'
import { VectorLenders } from './vector-lender.ts'

type Assembled = Awaited<ReturnType<typeof assemble>>

export interface MigrationRequest extends OpenOptions {
  to: Backend
  /** Where the data is; default: where the settings say. */
  from?: Backend | undefined
  /** Of the target; default: as set. */
  url?: string | undefined
  /** What is this person's own in the target goes first; what is everybody's, or somebody else's, stays. */
  replace?: boolean | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: MigrationProgress) => void) | undefined
}

export interface MigrationProgress {
  part: Move['part']
  /** What is being done, in words. */
  step: string
  done: number
  total?: number | undefined
}

export interface IndexReport {
  collections: ComparedCollection[]
  /** Vectors taken over as they were, and made anew. */
  carried: number
  embedded: number
  sampled: SampledSearches
  /** Why the old index could not be read: then there was nothing to carry or to compare. */
  sourceProblem?: string
  verified: boolean
}

export interface IndexFilling {
  carried: number
  embedded: number
  /** Why it was not filled: whoever first asks it does that. */
  problem?: string
}

export interface MigrationReport {
  moves: Move[]
  storage?: CopyReport
  /** Of the index where the database alone moves: each has its own. */
  filled?: IndexFilling
  index?: IndexReport
  verified: boolean
  /** For the settings file; nothing is switched by the migration itself. */
  settings: ReturnType<typeof settingsToWrite>
}

/** A share of sampled searches that must agree; Qdrant's search by meaning is approximate. */
const ENOUGH_SAME = 0.95

/**
 * Copies what the settings keep in one place to another, while it is in use. Interrupted, it goes on where it stopped.
 * Nothing is switched over: whoever reads goes on reading from the old place until the settings say otherwise.
 */
export async function migrate(request: MigrationRequest): Promise<MigrationReport> {
  const { to, from, url, ...options } = request
  const config = await resolveConfig(options)
  const moves = planMoves(config.settings, { to, from })
  const { source: sourceSettings, target: targetSettings } = settingsOf(config.settings, moves, url)
  const source = await assemble({ ...options, settings: sourceSettings })
  try {
    const report: MigrationReport = {
      moves,
      verified: true,
      settings: settingsToWrite(targetSettings, moves),
    }
    for (const move of moves) {
      if (move.part === 'storage') report.storage = await moveStorage(source, targetSettings, request)
      else report.index = await moveIndex(source, targetSettings, request)
    }
    if (!report.index) report.filled = await fillIndex(source, targetSettings, request)
    report.verified = (report.storage?.verified ?? true) && (report.index?.verified ?? true)
    return report
  } finally {
    await source.ralph.close()
  }
}

async function moveStorage(
  source: Assembled,
  settings: Settings,
  request: MigrationRequest,
): Promise<CopyReport> {
  const { replace, signal, onProgress } = request
  const target = await assemble({ ...request, settings })
  try {
    return await copyStorage(await sideOf(source), await sideOf(target), {
      sourceName: storageName(source.ralph.config),
      replace,
      signal,
      onProgress: ({ phase, table, done, total }) =>
        onProgress?.({ part: 'storage', step: `${phase} ${table}`, done, total }),
    })
  } finally {
    await target.ralph.close()
  }
}

/** A database with who works there: in one of a team, nobody else's rows are touched. */
async function sideOf({ ralph, drivers }: Assembled): Promise<Side> {
  return { storage: await drivers.storage(), person: (await ralph.people.you()).id }
}

async function moveIndex(
  source: Assembled,
  settings: Settings,
  request: MigrationRequest,
): Promise<IndexReport> {
  return withTarget(source, settings, request, async (target, { lenders, begin }) => {
    const { featureMemory } = target.ralph
    await checkParts(target)
    for (const feature of await featureMemory.searchable()) {
      begin(`feature ${feature}`)
      await featureMemory.catchUp(feature, { signal: request.signal })
    }
    await reindex(target.ralph, request, begin)
    return checkedReport(source, target, lenders)
  })
}

/** A database that others use too is searched differently, so nothing is compared; what cannot be done now is done by whoever asks first. */
async function fillIndex(
  source: Assembled,
  settings: Settings,
  request: MigrationRequest,
): Promise<IndexFilling> {
  return withTarget(source, settings, request, async (target, { lenders, begin }) => {
    try {
      await checkParts(target)
      // Without a word in the database: whoever copies into it again must find it as it was left.
      await reindex(target.ralph, request, begin, { onlyLent: true })
      return { carried: lenders.carried, embedded: (await target.drivers.embedder()).usage.texts }
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      return { carried: lenders.carried, embedded: 0, problem: error.message }
    }
  })
}

interface Filling {
  lenders: VectorLenders
  begin: (step: string) => void
}

/** With what is set after the move, and the vectors of what was set before it. */
async function withTarget<Result>(
  source: Assembled,
  settings: Settings,
  request: MigrationRequest,
  work: (target: Assembled, filling: Filling) => Promise<Result>,
): Promise<Result> {
  let step = ''
  let done = 0
  const lenders = new VectorLenders((documents) => {
    done += documents
    request.onProgress?.({ part: 'index', step, done })
  })
  const begin = (next: string) => {
    step = next
    throwIfAborted(request.signal)
  }
  const { projectIndex, userIndex, personalIndex } = source.drivers
  const target = await assemble(
    { ...request, settings },
    {
      project: lenders.of(projectIndex()),
      user: lenders.of(userIndex()),
      personal: lenders.of(personalIndex()),
    },
  )
  try {
    return await work(target, { lenders, begin })
  } finally {
    await target.ralph.close()
  }
}

/** What is found through the user's own. */
async function reindex(
  { knowledge, conversations, documents }: Ralph,
  { signal }: MigrationRequest,
  begin: Filling['begin'],
  { onlyLent = false } = {},
): Promise<void> {
  begin('project knowledge')
  await knowledge.reindex({ signal })
  begin('conversations')
  await conversations.reindex({ signal, onlyLent })
  begin('documents')
  await documents.reindex({ signal })
}

/** Half a copy, by words only, would look like a whole one. */
async function checkParts({ drivers }: Assembled): Promise<void> {
  const embedder = await drivers.embedder()
  for (const health of [await drivers.projectIndex().check(), await embedder.check()]) {
    if (!health.ok)
      throw new RalphError('unavailable', `nothing can move: ${health.detail}`, {
        ...(health.hint && { hint: health.hint }),
        retryable: true,
      })
  }
}

async function checkedReport(
  { drivers: source }: Assembled,
  { ralph, drivers: target }: Assembled,
  { carried, problem }: VectorLenders,
): Promise<IndexReport> {
  const { usage, calibration } = await target.embedder()
  const embedded = usage.texts
  if (problem) {
    const nothing = { collections: [], sampled: { searches: 0, same: 0 } }
    return { ...nothing, carried, embedded, sourceProblem: problem.message, verified: true }
  }
  const features = [...(await ralph.featureMemory.expectedCollections())]
  const collections: ComparedCollection[] = []
  const sampled: SampledSearches = { searches: 0, same: 0 }
  for (const [pair, names] of [
    [{ source: source.projectIndex(), target: target.projectIndex() }, features],
    [{ source: source.userIndex(), target: target.userIndex() }, [KNOWLEDGE]],
    [{ source: source.personalIndex(), target: target.personalIndex() }, [EXCHANGES, SUMMARIES, DOCUMENTS]],
  ] as const) {
    const counts = await compareCounts(pair, names)
    collections.push(...counts)
    const level = counts.filter((one) => one.source === one.target).map(({ name }) => name)
    const { searches, same } = await compareSearches(pair, level, calibration)
    sampled.searches += searches
    sampled.same += same
  }
  // What the old index had not caught up with yet is in the new one already.
  const complete = collections.every((one) => one.target >= one.source)
  const verified = complete && sampled.same >= sampled.searches * ENOUGH_SAME
  return { collections, carried, embedded, sampled, verified }
}

function storageName({ settings, paths }: Config): string {
  const { driver, url = '' } = settings.storage
  return driver === 'sqlite' ? `sqlite ${paths.userDatabase}` : `postgres ${urlWithoutSecrets(url)}`
}
