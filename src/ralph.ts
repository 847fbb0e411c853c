import { join } from 'node:path'
import { type Board, openBoard } from './board/board.ts'
import { type Config, type ConfigRequest, resolveConfig } from './config.ts'
import { deferred } from './deferred.ts'
import type { Embedder, EmbedderSource } from './embedding/embedder.ts'
import { RalphError } from './errors.ts'
import { FeatureMemory } from './feature-memory/feature-memory.ts'
import { projectFileHasher } from './feature-memory/learnings/anchors.ts'
import { Learnings } from './feature-memory/learnings/store.ts'
import { type Notice, Notices } from './notices.ts'
import type { ProjectKnowledge } from './project-knowledge/project-knowledge.ts'
import { ReceiptLog } from './receipts/log.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import { openSqliteIndex } from './search-index/sqlite.ts'
import type { Storage } from './storage/storage.ts'

export interface OpenOptions extends ConfigRequest {
  /** Hears, once each, what is degraded and how to mend it. Default: a line on stderr. */
  onNotice?: ((notice: Notice) => void) | undefined
}

/** Everything a surface or a program needs. Parts are opened when they are first used. */
export interface Ralph {
  readonly config: Config
  readonly notices: Notices
  readonly featureMemory: FeatureMemory
  readonly learnings: Learnings
  readonly board: Board
  readonly knowledge: ProjectKnowledge
  readonly receipts: ReceiptLog
  readonly index: SearchIndex
  readonly embedder: EmbedderSource
  close(): Promise<void>
}

/** Opens the memories of one project as its settings say. The only place that knows which driver stands for what. */
export async function openRalph(options: OpenOptions = {}): Promise<Ralph> {
  const config = resolveConfig(options)
  const notices = new Notices(options.onNotice ?? sayOnStandardError)
  const opened: { close(): Promise<void> }[] = []
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(part)
    return part
  }
  const embedder = once(async () => keep(await openEmbedder(config, notices)))
  const index = lazy(() => keep(openIndex(config, 'project')))
  const userIndex = lazy(() => keep(openIndex(config, 'user')))
  const storage = once(async () => keep(await openStorage(config)))
  const board = lazy(() => openBoard({ dir: config.paths.database, cacheDir: config.paths.cache }))
  const learnings = lazy(
    () =>
      new Learnings({
        store: board().learnings,
        hashFile: projectFileHasher(config.project),
        now: () => new Date().toISOString(),
      }),
  )
  const featureMemory = lazy(
    () =>
      new FeatureMemory({
        project: config.project,
        memoryDir: config.paths.memory,
        cacheDir: config.paths.cache,
        index: index(),
        embedder,
        notices,
        describe: async (feature) => {
          const described = await board().findFeature(feature)
          return described && { ...described, currentState: await board().currentState(feature) }
        },
      }),
  )
  const knowledge = deferred(
    once(async () => {
      const { ProjectKnowledge } = await import('./project-knowledge/project-knowledge.ts')
      return new ProjectKnowledge({ storage: await storage(), index: userIndex(), embedder, notices })
    }),
  )
  return {
    config,
    notices,
    embedder,
    knowledge,
    receipts: new ReceiptLog({ folder: config.paths.receipts, notices }),
    get index() {
      return index()
    },
    get learnings() {
      return learnings()
    },
    get board() {
      return board()
    },
    get featureMemory() {
      return featureMemory()
    },
    async close() {
      for (const part of opened.reverse()) await part.close()
    },
  }
}

/** Feature memory is of the project; knowledge and conversations are of the user, across projects. */
function openIndex({ paths, home }: Config, scope: 'project' | 'user'): SearchIndex {
  return openSqliteIndex({ path: join(scope === 'project' ? paths.cache : home, 'index.db') })
}

async function openStorage({ settings, paths }: Config): Promise<Storage> {
  const { driver, url } = settings.storage
  if (driver === 'sqlite') {
    const { openSqliteStorage } = await import('./storage/sqlite.ts')
    return openSqliteStorage({ path: paths.userDatabase })
  }
  if (url === undefined) {
    throw new RalphError('invalid_input', 'storage.driver is "postgres" but storage.url is not set', {
      hint: 'Set RALPH_POSTGRES_URL=postgres://user:password@host/database',
    })
  }
  const { openPostgresStorage } = await import('./storage/postgres.ts')
  return openPostgresStorage({ url })
}

async function openEmbedder({ settings, paths }: Config, notices: Notices): Promise<Embedder> {
  const { provider } = settings.embedder
  switch (provider) {
    case 'local': {
      const { openLocalEmbedder } = await import('./embedding/local.ts')
      return openLocalEmbedder({ cacheDir: paths.models, onNotice: (notice) => notices.once(notice) })
    }
    case 'none':
      throw new RalphError('unavailable', 'the embedder is switched off in the settings', {
        hint: 'Set embedder.provider to "local" (or remove the setting) to search by meaning.',
      })
    default:
      throw new RalphError('unavailable', `the embedder "${provider}" is not available`)
  }
}

function sayOnStandardError({ message, hint }: Notice): void {
  process.stderr.write(`ralph: ${message}${hint ? ` (${hint})` : ''}\n`)
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Like `lazy`, but a failure is not remembered: what was down may be back the next time. */
function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opening: Promise<Value> | undefined
  return () => {
    opening ??= open().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }
}
