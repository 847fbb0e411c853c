import type { LanguageModel } from '../language-model/language-model.ts'
import type { MeaningSample } from '../retrieval/collection.ts'
import { type SpendLine, type SpendReport, spendLines, spendReport } from '../spend/report.ts'
import { type ContextOptions, type ConversationContext, contextFor } from './context-for.ts'
import { ConversationIndex, ITEM_KINDS } from './conversation-index.ts'
import {
  type ConversationDetails,
  type DetailsRequest,
  type ExchangeDetails,
  fetchDetails,
} from './details.ts'
import type { ItemKind } from './documents.ts'
import { type ExportOptions, type ExportReport, exportLines, exportTo } from './export.ts'
import { carryIndex, fillIndex } from './fill-index.ts'
import { History } from './history.ts'
import { TalkIds } from './ids.ts'
import { importExchanges, isExchangeFile } from './import/jsonl.ts'
import { forgetLoopRuns } from './import/loop-runs.ts'
import type { ImportReport, WatchedImport } from './import/report.ts'
import { importSessions, type SessionImportRequest } from './import/sessions.ts'
import { Intake } from './intake.ts'
import { OpenExchanges } from './open-exchanges.ts'
import type { ConversationsOptions } from './options.ts'
import { ProjectConversations } from './project-conversations.ts'
import {
  type ConversationListOptions,
  type ListedConversations,
  listConversations,
  type PositionPage,
  type ReadConversation,
  type ReadTranscript,
  readConversation,
  readExchange,
} from './reading.ts'
import type { ConversationFacts, Exchange, NewExchange } from './record.ts'
import { freshId, recordExchange } from './record-exchange.ts'
import { type LastRetrieval, RetrievalNote } from './retrieve/last-retrieval.ts'
import {
  type ConversationSearchOptions,
  type Retrieval,
  type RetrieveOptions,
  Retriever,
  type SearchResults,
} from './retrieve/retriever.ts'
import { sampleExchanges } from './sample-exchanges.ts'
import { SettingsStore } from './settings.ts'
import { Sharing } from './sharing.ts'
import {
  type RebuildPlan,
  type RetrievalStatus,
  rebuildPlan,
  retrievalStatus,
  type WorkersStatus,
  workersStatus,
} from './status.ts'
import { Tags } from './tags.ts'
import { type TopicList, Topics, type TopicsOptions } from './topics/topics.ts'
import { Votes } from './votes.ts'
import { IN_USE_MS } from './workers/due.ts'
import { WORKERS, type WorkerName, Workers } from './workers/workers.ts'

export type { ConversationContext } from './context-for.ts'
export type { ConversationsOptions } from './options.ts'
export type { Topic, TopicList } from './topics/topics.ts'

/** Conversation memory: what was said in all conversations of a user, found again when it matters. */
export class Conversations {
  readonly #options: ConversationsOptions
  readonly #index: ConversationIndex
  readonly #retriever: Retriever
  readonly #lastRetrieval: RetrievalNote
  readonly #open: OpenExchanges
  readonly #topics: Topics
  readonly #clock: () => Date
  readonly history: History
  readonly ids: TalkIds
  readonly tags: Tags
  readonly votes: Votes
  readonly sharing: Sharing
  readonly settings: SettingsStore
  readonly workers: Workers
  /** @internal */
  constructor(options: ConversationsOptions) {
    const { storage, person, notices, summariser } = options
    this.#options = options
    const clock = options.clock ?? (() => new Date())
    this.#clock = clock
    this.history = new History(storage, person)
    this.ids = new TalkIds(storage, person, this.history)
    this.tags = new Tags(storage, person, this.history)
    this.votes = new Votes(storage, person, this.history)
    this.sharing = new Sharing(storage, person, this.history, options.requirePerson)
    this.settings = new SettingsStore(storage, person)
    this.#index = new ConversationIndex(options)
    this.#open = new OpenExchanges(storage, person, clock)
    const shared = { storage, person, history: this.history, index: this.#index, clock }
    this.#topics = new Topics({ ...shared, notices, languageModel: options.languageModel })
    this.#lastRetrieval = new RetrievalNote(storage, person, clock)
    this.#retriever = new Retriever({ ...shared, tags: this.tags, votes: this.votes, notices })
    this.workers = new Workers({
      ...shared,
      open: this.#open,
      notices,
      settings: this.settings,
      afterRound: (signal) => this.#topics.keepSorted(signal),
      summariser,
      others: options.others,
    })
  }

  get languageModel(): LanguageModel | undefined {
    return this.#options.languageModel
  }

  /** Which summariser is in use, e.g. "extractive". */
  get summariserId(): string {
    return this.#options.summariser.id
  }

  /** A fresh id for a conversation or an exchange that begins now. */
  newId(): string {
    return freshId()
  }

  /**
   * Stores one exchange, secrets masked; durable and findable when it returns. One that is open is this process's to end,
   * by the same call: should the process end first, it is kept as interrupted.
   */
  async record(
    exchange: NewExchange,
    facts: ConversationFacts = { source: 'api' },
  ): Promise<{ exchangeId: string }> {
    const exchangeId = await recordExchange(exchange, facts, { intake: this.#intake(), open: this.#open })
    if (exchange.status !== 'open') this.workers.signal()
    return { exchangeId }
  }

  /** Ends, as interrupted, the answers whose writer was killed. Returns how many there were. */
  closeAbandoned(): Promise<number> {
    return this.#open.closeAbandoned()
  }

  /** Keeps the workers away from a conversation while somebody talks in it; call it again every minute. */
  async holdOpen(conversationId: string): Promise<void> {
    await this.history.holdOpen(conversationId, new Date(this.#clock().getTime() + IN_USE_MS))
  }

  async letGo(conversationId: string): Promise<void> {
    await this.history.holdOpen(conversationId, undefined)
    this.workers.signal()
  }

  async importJsonl(path: string, watched: WatchedImport = {}): Promise<ImportReport> {
    const intake = this.#intake()
    const report = await importExchanges(path, { ...watched, intake, history: this.history, tags: this.tags })
    this.workers.signal()
    return report
  }

  /** Whether a file holds the neutral form that `importJsonl` reads. */
  readonly isExchangeFile = isExchangeFile

  /** Sessions of agents: a file, all in a folder, or, where nothing is named, wherever each agent keeps its own. */
  async importSessions(path?: string, request: SessionImportRequest = {}): Promise<ImportReport> {
    const { storage, person, sessionPlaces: places } = this.#options
    await forgetLoopRuns(storage, person, (id) => this.forget(id))
    const own = { storage, person, intake: this.#intake(), places, history: this.history, path }
    const report = await importSessions({ ...request, ...own })
    this.workers.signal()
    return report
  }

  ofProject(project: string): ProjectConversations {
    const { storage, person, sessionPlaces } = this.#options
    return new ProjectConversations({ storage, person, sessionPlaces, project, conversations: this })
  }

  exportLines(options: ExportOptions = {}): AsyncGenerator<string> {
    return exportLines(this.#exported(), options)
  }

  exportTo(path: string, options: ExportOptions = {}): Promise<ExportReport> {
    return exportTo(path, this.#exported(), options)
  }

  #exported() {
    return { storage: this.#options.storage, history: this.history, tags: this.tags, index: this.#index }
  }

  /** The best past conversations for a query with their best exchanges, or none. */
  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Retrieval> {
    const retrieval = await this.#retriever.retrieve(query, options, await this.settings.read())
    this.#lastRetrieval.remember(retrieval)
    return retrieval
  }

  /** The best exchanges over all conversations, as many and as similar as the settings say unless told otherwise. */
  async search(query: string, options: ConversationSearchOptions = {}): Promise<SearchResults> {
    const { limit: most, minSimilarity } = this.#options.searchDefaults
    const limit = options.limit ?? Math.min(most, options.mostByDefault ?? most)
    return this.#retriever.search(query, { minSimilarity, ...options, limit }, await this.settings.read())
  }

  /** At most so many exchanges, always the same, with where they stand in meaning. */
  sample(limit: number): Promise<MeaningSample<{ exchange: Exchange }>> {
    return sampleExchanges(this.#index.of('exchange'), this.history, limit)
  }

  /**
   * The section that goes before an answer, or undefined: switched off, nothing strong enough, or something is
   * broken, which is said once. Never throws but when cancelled.
   */
  contextFor(query: string, options: ContextOptions = {}): Promise<ConversationContext | undefined> {
    const retrieve = this.retrieve.bind(this)
    const sources = {
      settings: this.settings,
      retrieve,
      topics: this.#topics,
      notices: this.#options.notices,
    }
    return contextFor(sources, query, options)
  }

  /** What they are about, named by their own words; the same from day to day but for what has come. */
  topics(options: TopicsOptions = {}): Promise<TopicList> {
    return this.#topics.list(options)
  }

  retrievalStatus(): Promise<RetrievalStatus> {
    return retrievalStatus(this)
  }

  workersStatus(names: readonly WorkerName[] = WORKERS): Promise<WorkersStatus> {
    return workersStatus(this, names)
  }

  /** What was spent in the period of the limits, and how much that may be. */
  spend(): Promise<SpendReport> {
    return spendReport(this.#options.spend)
  }

  /** What was ever spent, by month. */
  spentByMonth(): Promise<SpendLine[]> {
    return spendLines(this.#options.spend)
  }

  /** What `workers.rebuild` would delete and cost. */
  rebuildPlan(kinds: readonly ItemKind[]): Promise<RebuildPlan> {
    return rebuildPlan(this, kinds)
  }

  /** For people, page by page, as it was said: the list, one conversation, one exchange. */
  list(options: ConversationListOptions = {}): Promise<ListedConversations> {
    return listConversations(this, options)
  }

  read(id: string, page: PositionPage = {}): Promise<ReadConversation> {
    return readConversation(this, id, page)
  }

  readExchange(id: string, page: PositionPage = {}): Promise<ReadTranscript> {
    return readExchange(this, id, page)
  }

  /** For models: safe to be read, and no longer than they should read. */
  details(request: DetailsRequest): Promise<ConversationDetails | ExchangeDetails> {
    return fetchDetails(this, request)
  }

  #intake(): Intake {
    const { storage, person } = this.#options
    return new Intake(storage, person, this.#index)
  }

  async forget(conversationId: string): Promise<void> {
    await this.#index.forget(conversationId, await this.history.remove(conversationId))
  }

  /** Looks for vectors that are missing or damaged; the pipeline makes them again. */
  async verifyEmbeddings(): Promise<void> {
    for (const kind of ITEM_KINDS) await this.#index.distrust(kind)
    this.workers.signal('embedding')
  }

  /** Fills the index that it was given from the history, e.g. a new one that is to replace another. `onlyLent`: see `carryIndex`. */
  async reindex({ signal, onlyLent = false }: { signal?: AbortSignal | undefined; onlyLent?: boolean } = {}) {
    await (onlyLent ? carryIndex(this.#index, signal) : fillIndex(this.#index, this.workers, signal))
  }

  /** Of this process or another one, whichever was later. */
  lastRetrieval(): Promise<LastRetrieval | undefined> {
    return this.#lastRetrieval.read()
  }

  async close(): Promise<void> {
    await this.workers.stop()
    this.#open.close()
    await this.#lastRetrieval.close()
  }
}
