import { type Config, resolveConfig, type Settings } from '../config.ts'
import { EXCHANGES, SUMMARIES } from '../conversation-memory/documents.ts'
import { DOCUMENTS } from '../documents/document-index.ts'
import { RalphError, throwIfAborted } from '../errors.ts'
import { COLLECTION as KNOWLEDGE } from '../project-knowledge/entries-source.ts'
import { assemble, type OpenOptions } from '../ralph.ts'
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

export interface MigrationReport {
  moves: Move[]
  storage?: CopyReport
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
  let step = ''
  let done = 0
  const lenders = new VectorLenders((documents) => {
    done += documents
    request.onProgress?.({ part: 'index', step, done })
  })
  const { projectIndex, userIndex, personalIndex } = source.drivers
  const target = await assemble(
    { ...request, settings },
    {
      project: lenders.of(projectIndex()),
      user: lenders.of(userIndex()),
      personal: lenders.of(personalIndex()),
    },
  )
  const { featureMemory, knowledge, conversations, documents } = target.ralph
  try {
    await checkParts(target)
    for (const feature of await featureMemory.searchable()) {
      step = `feature ${feature}`
      throwIfAborted(request.signal)
      await featureMemory.catchUp(feature, { signal: request.signal })
    }
    step = 'project knowledge'
    await knowledge.reindex({ signal: request.signal })
    step = 'conversations'
    await conversations.reindex({ signal: request.signal })
    step = 'documents'
    await documents.reindex({ signal: request.signal })
    return await checkedReport(source, target, lenders)
  } finally {
    await target.ralph.close()
  }
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
