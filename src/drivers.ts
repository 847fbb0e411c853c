import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { deferred, lazy, once } from './deferred.ts'
import type { Embedder } from './embedding/embedder.ts'
import { isRalphError, RalphError } from './errors.ts'
import { loginName } from './files/login-name.ts'
import { HomeIndexes } from './home-indexes.ts'
import type { LanguageModel } from './language-model/language-model.ts'
import { priceTable } from './language-model/prices.ts'
import type { Notices } from './notices.ts'
import { mendingIndex } from './retrieval/mending.ts'
import { PATIENCE_SECONDS } from './retrieval/relevance.ts'
import { embedderMark, indexOfEmbedder } from './search-index/of-embedder.ts'
import { ownedIndex } from './search-index/owned.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import { openSqliteIndex } from './search-index/sqlite.ts'
import type { PaidCalls } from './services/paid-calls.ts'
import type { SharedTurns } from './services/shared-turns.ts'
import type { SilentServices } from './services/silent-services.ts'
import type { Ledger } from './spend/ledger.ts'
import type { Storage } from './storage/storage.ts'
import type { DecisionWay } from './trust/decision.ts'

interface Closable {
  close(): Promise<void>
}

/** Which driver stands for what, as the settings say: the only file that knows. Each is opened by its first use. */
export class Drivers {
  readonly #config: Config
  readonly #notices: Notices
  readonly #env: NodeJS.ProcessEnv
  readonly #opened: Closable[] = []

  constructor(config: Config, notices: Notices, env: NodeJS.ProcessEnv) {
    this.#config = config
    this.#notices = notices
    this.#env = env
  }

  readonly embedder = once(async () =>
    this.keep(await openEmbedder(this.#config, this.#notices, this.#calls)),
  )
  readonly storage = once(async () => this.keep(await openStorage(this.#config)))
  /** Who works with it, and who they say they are. */
  readonly people = once(async () => {
    const { People } = await import('./identity/people.ts')
    const { settings, paths } = this.#config
    return new People({
      storage: this.storage,
      name: settings.user.name ?? loginName(),
      homeFile: paths.homeIdentity,
      notices: this.#notices,
    })
  })
  readonly person = async () => (await this.people()).you()
  /** What a server has can only be asked of it. */
  hasStored(): boolean {
    return this.#config.settings.storage.driver !== 'sqlite' || existsSync(this.#config.paths.userDatabase)
  }
  /** Makes lost tables of our own file again; a server's are for whoever runs it. */
  async mendStorage(): Promise<string[]> {
    if (this.#config.settings.storage.driver !== 'sqlite') return []
    return (await import('./storage/mend-sqlite.ts')).mendSqliteFile(this.#config.paths.userDatabase)
  }
  /** Feature memory is of the project; knowledge and conversations are of the user, across projects. */
  readonly projectIndex = lazy(() =>
    this.#isOnServer() ? this.#ofEmbedder() : this.#openIndex(this.#config.paths.index, 'this project'),
  )
  /** Of one database: what another one holds is neither found nor removed through it. */
  readonly userIndex = lazy(
    () => this.homeIndexes()?.current() ?? ownedIndex(this.#ofEmbedder(), this.#storageId),
  )
  /** The user's that are files; none when they are on a server. */
  readonly homeIndexes = lazy(() => {
    const open = (path: string) => this.#openIndex(path, 'knowledge and conversations', true)
    if (this.#isOnServer()) return undefined
    return new HomeIndexes(this.#config, { storageId: this.#storageId, open })
  })
  /** Of what is one person's own; a team's database has several. */
  readonly personalIndex = lazy(() =>
    this.#config.settings.storage.driver === 'postgres'
      ? ownedIndex(this.userIndex(), async () => (await this.person()).id)
      : this.userIndex(),
  )
  /** The whole server, with what is other people's: to tell of it. */
  server(): SearchIndex | undefined {
    return this.#isOnServer() ? this.#qdrant() : undefined
  }
  #isOnServer(): boolean {
    return this.#config.settings.index.driver === 'qdrant'
  }
  readonly #storageId = once(async () => {
    const { storageId } = await import('./storage/storage-id.ts')
    return storageId(await this.storage())
  })
  /** What calls have cost, and may cost; opens the storage with the first of them. */
  readonly ledger = once(() => this.#openLedger())
  readonly #calls: PaidCalls = { begin: async (call) => (await this.ledger()).begin(call) }
  readonly languageModel = once(() => openLanguageModel(this.#config, this.#calls))
  readonly summariser = once(async () => openSummariser(await this.languageModel()))
  readonly #qdrant = lazy(() => this.#openQdrant())
  readonly #ofEmbedder = lazy(() =>
    indexOfEmbedder(this.#qdrant(), this.#embedderMark, (other) => {
      // Without one, nothing is made beside them.
      if (this.#config.settings.embedder.provider === 'none') return
      this.#notices.once({
        key: 'index.other_embedder',
        message: `the index on the server holds vectors of ${other}; those of your embedder are made beside them, once, and both stay`,
        hint: 'Whoever uses the same embedder shares its vectors: ralph config get embedder.provider',
        harmless: true,
      })
    }),
  )
  /** Of a service its name tells; of the local model what it runs on does, which opening it finds out. */
  readonly #embedderMark = once(async () => {
    const { provider, model } = this.#config.settings.embedder
    const opened = provider === 'local' ? await this.embedder().catch(() => undefined) : undefined
    return embedderMark(provider, opened?.id ?? model ?? DEFAULT_EMBEDDING_MODELS[provider] ?? '')
  })

  /** Whatever is kept is closed in the opposite order of its opening. */
  keep<Part extends Closable>(part: Part): Part {
    this.#opened.push(part)
    return part
  }

  async close(): Promise<void> {
    for (const part of this.#opened.splice(0).reverse()) await part.close()
  }

  #openIndex(path: string, of: string, ownerOnly = false): SearchIndex {
    const index = openSqliteIndex({ path, ownerOnly })
    return this.keep(mendingIndex(index, { notices: this.#notices, of }))
  }

  async #openLedger(): Promise<Ledger> {
    const { Ledger } = await import('./spend/ledger.ts')
    const { howToPrice } = await import('./language-model/prices.ts')
    const { maxSpend, chatMaxSpend, maxSpendPeriod, prices } = this.#config.settings.languageModel
    return new Ledger({
      storage: this.storage,
      person: () => this.#payer(),
      limits: { period: maxSpendPeriod, workersUsd: maxSpend, chatUsd: chatMaxSpend },
      priceHint: (model) => howToPrice(model, prices),
    })
  }

  /** Nobody's money, as long as two people bear one name: what does not need to know whose goes on. */
  async #payer(): Promise<{ id: string }> {
    try {
      return await this.person()
    } catch (error) {
      if (isRalphError(error) && error.code === 'conflict') return { id: '' }
      throw error
    }
  }

  /** Loaded by the first call, and with a sidecar started by it. */
  #openQdrant(): SearchIndex {
    const { settings, home, paths } = this.#config
    const { url, apiKey, tenants, sidecar } = settings.index
    const open = once(async () => {
      const { openQdrantIndex } = await import('./search-index/qdrant.ts')
      return this.keep(openQdrantIndex({ url, apiKey, tenants, silent: await silentServices(paths) }))
    })
    if (!sidecar) return deferred(open) as SearchIndex
    const start = once(async () => {
      const { QdrantSidecar } = await import('./search-index/qdrant-sidecar.ts')
      return this.keep(new QdrantSidecar({ home, url, apiKey, env: this.#env }))
    })
    return deferred(async () => {
      await (await start()).ensure()
      return open()
    }) as SearchIndex
  }
}

/**
 * How long whoever asks waits for the embedder. A server lasts, and goes on loading a model for the next who asks: those
 * who ask it do not wait longer than usual.
 */
export function embedderPatienceMs({ settings }: Config, via: DecisionWay): number {
  const chosen = settings.embedder.patienceSeconds
  const lasts = via === 'review' || via === 'page'
  return 1_000 * (lasts ? Math.min(chosen, PATIENCE_SECONDS) : chosen)
}

async function openStorage({ settings, paths }: Config): Promise<Storage> {
  const { driver, url } = settings.storage
  if (driver === 'sqlite') {
    const { openSqliteStorage } = await import('./storage/sqlite.ts')
    return openSqliteStorage({ path: paths.userDatabase, madeByWriting: true })
  }
  if (url === undefined) {
    throw new RalphError('invalid_input', 'storage.driver is "postgres" but storage.url is not set', {
      hint: 'Set RALPH_POSTGRES_URL=postgres://user:password@host/database',
    })
  }
  const { openPostgresStorage } = await import('./storage/postgres.ts')
  return openPostgresStorage({ url })
}

async function openEmbedder(
  { settings, paths }: Config,
  notices: Notices,
  calls: PaidCalls,
): Promise<Embedder> {
  const { provider, model = DEFAULT_EMBEDDING_MODELS[provider], ...others } = settings.embedder
  const given = { ...others, model }
  switch (provider) {
    case 'local': {
      const { openLocalEmbedder } = await import('./embedding/local.ts')
      return openLocalEmbedder({ cacheDir: paths.models, onNotice: (notice) => notices.once(notice) })
    }
    case 'ollama': {
      const { openOllamaEmbedder } = await import('./embedding/ollama.ts')
      return openOllamaEmbedder({ ...made(given), ...(await knownOfServices(paths)) })
    }
    case 'openai': {
      const { openOpenAiEmbedder } = await import('./embedding/openai.ts')
      const { priceOf } = await import('./language-model/prices.ts')
      const listed = priceTable(settings.languageModel.prices)
      const price = given.model === undefined ? undefined : priceOf(given.model, listed)?.input
      return openOpenAiEmbedder({ ...made(given), ...(await knownOfServices(paths)), price, calls })
    }
    case 'none':
      throw new RalphError('unavailable', 'the embedder is switched off in the settings', {
        hint: 'Without that setting memory is searched by meaning, too; `ralph config get embedder.provider` says where it is set.',
      })
  }
}

/** The same for everybody who has set none: collections on a server are called by it. */
const DEFAULT_EMBEDDING_MODELS: { readonly [provider: string]: string } = {
  ollama: 'nomic-embed-text',
  openai: 'text-embedding-3-small',
}

const DEFAULT_MODELS = { anthropic: 'claude-haiku-4-5', openai: 'gpt-5-mini', ollama: 'llama3.2' } as const

async function openLanguageModel(
  { settings, paths }: Config,
  calls: PaidCalls,
): Promise<LanguageModel | undefined> {
  const { provider, apiKey, url: baseUrl, startLimitSeconds, silenceLimitSeconds } = settings.languageModel
  if (provider === 'none') return undefined
  const options = {
    model: settings.languageModel.model ?? DEFAULT_MODELS[provider],
    apiKey,
    ...(baseUrl && { baseUrl }),
    limits: { startMs: startLimitSeconds * 1_000, pauseMs: silenceLimitSeconds * 1_000 },
    silent: await silentServices(paths),
    shared: await sharedTurns(paths),
    prices: priceTable(settings.languageModel.prices),
    effort: settings.languageModel.reasoningEffort,
    calls,
  }
  switch (provider) {
    case 'anthropic':
      return (await import('./language-model/anthropic.ts')).anthropicModel(options)
    case 'openai':
      return (await import('./language-model/openai.ts')).openAiModel(options)
    case 'ollama':
      return (await import('./language-model/ollama.ts')).ollamaModel(options)
  }
}

async function openSummariser(model: LanguageModel | undefined) {
  return model
    ? (await import('./language-model/prompted.ts')).promptedSummariser(model)
    : (await import('./language-model/extractive.ts')).extractiveSummariser()
}

/** What one process has found out about services and models, for all of this user. */
async function knownOfServices(paths: Config['paths']) {
  const { MeasuredModels } = await import('./embedding/measured.ts')
  const measured = new MeasuredModels(join(paths.userCache, 'embedding-models.json'))
  return { silent: await silentServices(paths), measured }
}

/** Which services hang, for all processes of this user. */
async function silentServices({ userCache }: Config['paths']): Promise<SilentServices> {
  const { SilentServices } = await import('./services/silent-services.ts')
  return new SilentServices({ folder: join(userCache, 'silent') })
}

/** Whose turn it is at a server that answers one at a time, among all processes of this user. */
async function sharedTurns({ userCache }: Config['paths']): Promise<SharedTurns> {
  const { SharedTurns } = await import('./services/shared-turns.ts')
  return new SharedTurns(join(userCache, 'answering'))
}

/** Without the settings that were not made: drivers have their own defaults. */
function made<Options extends object>(
  options: Options,
): { [Key in keyof Options]: NonNullable<Options[Key]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never
}
