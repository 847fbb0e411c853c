import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Board, openBoard } from './board/board.ts'
import { type Config, type ConfigRequest, inheritedEnvironment, resolveConfig } from './config.ts'
import type { Conversations } from './conversation-memory/conversations.ts'
import { type Deferred, deferred, lazy, once } from './deferred.ts'
import { openEmbedder, openLanguageModel, openStorage, openSummariser } from './drivers.ts'
import type { EmbedderSource } from './embedding/embedder.ts'
import { errnoOf } from './errors.ts'
import { FeatureMemory } from './feature-memory/feature-memory.ts'
import type { Learnings } from './learnings/store.ts'
import type { AgentLoop } from './loop/agent-loop.ts'
import { type Notice, Notices } from './notices.ts'
import type { ProjectKnowledge } from './project-knowledge/project-knowledge.ts'
import { ReceiptLog } from './receipts/log.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import { openSqliteIndex } from './search-index/sqlite.ts'
import type { StorageSource } from './storage/storage.ts'

export interface OpenOptions extends ConfigRequest {
  /** Hears, once each, what is degraded and how to mend it. Default: a line on stderr. */
  onNotice?: ((notice: Notice) => void) | undefined
  /** Put between the memories and the drivers that the settings name. */
  decorate?: Decoration | undefined
}

export interface Decoration {
  embedder(source: EmbedderSource): EmbedderSource
  index(index: SearchIndex, scope: IndexScope): SearchIndex
}

/** Feature memory is of the project; knowledge and conversations are of the user, across projects. */
export type IndexScope = 'project' | 'user'

/** Everything a surface or a program needs. Parts are opened when they are first used. */
export interface Ralph {
  readonly config: Config
  readonly notices: Notices
  readonly featureMemory: FeatureMemory
  readonly learnings: Deferred<Learnings>
  readonly board: Board
  readonly loop: Deferred<AgentLoop>
  readonly knowledge: Deferred<ProjectKnowledge>
  readonly conversations: Deferred<Conversations>
  readonly receipts: ReceiptLog
  readonly index: SearchIndex
  readonly userIndex: SearchIndex
  readonly embedder: EmbedderSource
  readonly storage: StorageSource
  /** The service itself, for callers that hold on to it. */
  openKnowledge(): Promise<ProjectKnowledge>
  openConversations(): Promise<Conversations>
  close(): Promise<void>
}

/** Opens the memories of one project as its settings say. The only place that knows which driver stands for what. */
export async function openRalph(options: OpenOptions = {}): Promise<Ralph> {
  const config = resolveConfig(options)
  const notices = new Notices(options.onNotice ?? sayOnStandardError)
  const parts = new Parts(config, notices, options.env ?? inheritedEnvironment(), options.decorate)
  return {
    config,
    notices,
    embedder: parts.embedder,
    storage: parts.storage,
    knowledge: deferred(parts.knowledge),
    conversations: deferred(parts.conversations),
    loop: deferred(parts.loop),
    openKnowledge: parts.knowledge,
    openConversations: parts.conversations,
    get index() {
      return parts.index()
    },
    get userIndex() {
      return parts.userIndex()
    },
    get receipts() {
      return parts.receipts()
    },
    get board() {
      return parts.board()
    },
    learnings: parts.learnings,
    get featureMemory() {
      return parts.featureMemory()
    },
    close: () => parts.close(),
  }
}

interface Closable {
  close(): Promise<void>
}

/** Each part knows what it stands on; whatever was opened is closed in the opposite order. */
class Parts {
  readonly #config: Config
  readonly #notices: Notices
  readonly #env: NodeJS.ProcessEnv
  readonly #decorate: Decoration | undefined
  readonly #opened: Closable[] = []

  constructor(config: Config, notices: Notices, env: NodeJS.ProcessEnv, decorate: Decoration | undefined) {
    this.#config = config
    this.#notices = notices
    this.#env = env
    this.#decorate = decorate
  }

  readonly #embedder = once(async () => this.#keep(await openEmbedder(this.#config, this.#notices)))
  readonly embedder: EmbedderSource = () =>
    this.#decorate ? this.#decorate.embedder(this.#embedder)() : this.#embedder()
  readonly storage = once(async () => this.#keep(await openStorage(this.#config)))
  readonly index = lazy(() => this.#decorated('project'))
  readonly userIndex = lazy(() => this.#decorated('user'))
  readonly #qdrant = lazy(() => this.#openQdrant())
  readonly board = lazy(() =>
    openBoard({ dir: this.#config.paths.database, cacheDir: this.#config.paths.cache }),
  )
  readonly receipts = lazy(
    () => new ReceiptLog({ folder: this.#config.paths.receipts, notices: this.#notices }),
  )

  readonly learnings = deferred(
    once(async () => {
      const { Learnings } = await import('./learnings/store.ts')
      const { projectFileHasher } = await import('./learnings/anchors.ts')
      return new Learnings({
        store: this.board().learnings,
        hashFile: projectFileHasher(this.#config.project),
        now: () => new Date().toISOString(),
      })
    }),
  )

  readonly featureMemory = lazy(
    () =>
      new FeatureMemory({
        project: this.#config.project,
        memoryDir: this.#config.paths.memory,
        cacheDir: this.#config.paths.cache,
        index: this.index(),
        embedder: this.embedder,
        notices: this.#notices,
        board: {
          version: () => this.board().version(),
          describe: async (name) => {
            const feature = await this.board().findFeature(name)
            return feature && { ...feature, currentState: await this.board().currentState(name) }
          },
        },
      }),
  )

  readonly knowledge = once(async () => {
    const { ProjectKnowledge } = await import('./project-knowledge/project-knowledge.ts')
    return new ProjectKnowledge({ ...this.#userParts(), storage: await this.storage() })
  })

  readonly conversations = once(async () => {
    const { Conversations } = await import('./conversation-memory/conversations.ts')
    const languageModel = await openLanguageModel(this.#config)
    const { limit, minScore } = this.#config.settings.search
    return this.#keep(
      new Conversations({
        ...this.#userParts(),
        storage: await this.storage(),
        summariser: await openSummariser(languageModel),
        sessionsDir: join(this.#config.claudeDir, 'projects'),
        searchDefaults: { limit, minSimilarity: minScore },
        languageModel,
        maxSpendUsd: this.#config.settings.languageModel.maxSpend,
      }),
    )
  })

  readonly loop = once(async () => {
    const { AgentLoop } = await import('./loop/agent-loop.ts')
    const { loopKnowledge } = await import('./loop/knowledge.ts')
    const { mcpConfigFor } = await import('./agent-config/mcp-config.ts')
    const { ragLine, ragNotices, ragStatus } = await import('./health/status.ts')
    const { costOf, priceOf } = await import('./language-model/prices.ts')
    const { project, userHome, paths } = this.#config
    return new AgentLoop({
      project,
      board: this.board(),
      featureMemory: this.featureMemory(),
      learnings: this.learnings,
      knowledge: loopKnowledge(deferred(this.knowledge), { project, gate: this.#config.settings.loop.gate }),
      receipts: this.receipts(),
      notices: this.#notices,
      cacheDir: paths.cache,
      env: this.#env,
      mcpServer: (feature, run, rights) =>
        mcpConfigFor({ client: 'claude-code', project, userHome, feature, run, ...rights }).entry,
      ragStatus: async () => {
        const status = await ragStatus({ index: this.index(), embedder: this.embedder })
        // The loop shows the line; the same trouble met a moment later is no news.
        for (const notice of ragNotices(status)) this.#notices.alreadySaid(notice)
        return { available: status.available, searchable: status.indexOk, line: ragLine(status) }
      },
      prices: (model, tokens) => {
        const price = priceOf(model)
        return price && costOf(price, tokens)
      },
    })
  })

  async close(): Promise<void> {
    for (const part of this.#opened.splice(0).reverse()) await part.close()
    keepOutOfGit(this.#config.paths.cache)
  }

  #decorated(scope: IndexScope): SearchIndex {
    const index = this.#openIndex(scope)
    return this.#decorate ? this.#decorate.index(index, scope) : index
  }

  #openIndex(scope: IndexScope): SearchIndex {
    const { settings, paths, home } = this.#config
    if (settings.index.driver === 'qdrant') return this.#qdrant()
    return this.#keep(openSqliteIndex({ path: join(scope === 'project' ? paths.cache : home, 'index.db') }))
  }

  /** Loaded by the first call, and with a sidecar started by it. */
  #openQdrant(): SearchIndex {
    const { settings, home } = this.#config
    const { url, apiKey, tenants, sidecar } = settings.index
    const open = once(async () => {
      const { openQdrantIndex } = await import('./search-index/qdrant.ts')
      return this.#keep(openQdrantIndex({ url, apiKey, tenants }))
    })
    if (!sidecar) return deferred(open) as SearchIndex
    const start = once(async () => {
      const { QdrantSidecar } = await import('./search-index/qdrant-sidecar.ts')
      return this.#keep(new QdrantSidecar({ home, url, apiKey, env: this.#env }))
    })
    return deferred(async () => {
      await (await start()).ensure()
      return open()
    }) as SearchIndex
  }

  #userParts() {
    return { index: this.userIndex(), embedder: this.embedder, notices: this.#notices }
  }

  #keep<Part extends Closable>(part: Part): Part {
    this.#opened.push(part)
    return part
  }
}

/** The cache ignores itself, so that it stays out of git also where nobody ran `ralph init`. */
function keepOutOfGit(cache: string): void {
  const rules = join(cache, '.gitignore')
  try {
    if (existsSync(cache) && !existsSync(rules)) writeFileSync(rules, '*\n')
  } catch (error) {
    if (errnoOf(error) === undefined) throw error // a full or read-only disk: a tidy `git status` is not worth a failure
  }
}

function sayOnStandardError({ message, hint }: Notice): void {
  process.stderr.write(`ralph: ${message}${hint ? ` (${hint})` : ''}\n`)
}
