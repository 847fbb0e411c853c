import type { Person } from '../../identity/person.ts'
import { EXTRACTIVE, type Summariser } from '../../language-model/summariser.ts'
import type { Notices } from '../../notices.ts'
import { againOnceMended } from '../../retrieval/mending.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ConversationIndex } from '../conversation-index.ts'
import type { ItemKind } from '../documents.ts'
import type { History } from '../history.ts'
import type { OpenExchanges } from '../open-exchanges.ts'
import type { SettingsStore } from '../settings.ts'
import { Claims } from './claims.ts'
import { type AlsoEmbedded, embeddingRound, embeddingWorkerName } from './embedding-round.ts'
import { type FailedItem, type QueueCounts, type QueuePage, RetryQueue } from './retry-queue.ts'
import { type SeenWorker, seenWorkers } from './seen-workers.ts'
import { dueSummaries, type SummaryOptions, summaryRound } from './summary-rounds.ts'
import { type Round, type RoundResult, Worker, type WorkerState } from './worker.ts'
import { WorkerNotices } from './worker-notices.ts'
import { type ItemTotals, WorkerTotals } from './worker-totals.ts'

export const WORKERS = ['conversation', 'exchange', 'embedding'] as const
export type WorkerName = (typeof WORKERS)[number]

/** Vectors there are, and those that are still to be made. */
export type EmbeddingCounts = Record<ItemKind, { embedded: number; waiting: number }>

export interface WorkerStatus {
  worker: WorkerName
  /** `stopped`: switched off, or no process runs it. */
  state: WorkerState
  enabled: boolean
  /** Processes in which it runs. */
  processes: number
  currentItem?: string
  /** Of the work under way. */
  progress?: { done: number; total: number }
  /** Items that are still to be done. */
  waiting: number
  totals: ItemTotals
  failures: FailedItem[]
  queue: QueueCounts
  problem?: string
}

export interface WorkersOptions {
  /** Called when the summariser of conversations or the pipeline has nothing left to do. */
  afterRound?: ((signal: AbortSignal) => Promise<void>) | undefined
  storage: Storage
  person: Person
  history: History
  index: ConversationIndex
  open: OpenExchanges
  settings: SettingsStore
  summariser: Summariser
  notices: Notices
  clock: () => Date
  /** What else the pipeline embeds. */
  others?: AlsoEmbedded | undefined
}

const ENABLED = {
  conversation: 'summarizerConversationEnabled',
  exchange: 'summarizerExchangeEnabled',
  embedding: 'embeddingPipelineEnabled',
} as const

type RoundWork = (round: Round) => Promise<RoundResult>

/** The three background workers of this process, and a view on those of the person's others. */
export class Workers {
  readonly #options: WorkersOptions
  readonly #claims: Claims
  readonly #queue: RetryQueue
  readonly #totals: WorkerTotals
  readonly #notices: WorkerNotices
  readonly #workers: Record<WorkerName, Worker>
  readonly #summaries: SummaryOptions

  /** @internal */
  constructor(options: WorkersOptions) {
    const { storage, person, history, settings, summariser, clock, index, open } = options
    this.#options = options
    this.#claims = new Claims(storage, person, clock)
    this.#queue = new RetryQueue(storage, person)
    this.#totals = new WorkerTotals(storage, person)
    this.#notices = new WorkerNotices(options.notices)
    const shared = {
      storage,
      person,
      history,
      clock,
      claims: this.#claims,
      totals: this.#totals,
      settings: () => settings.read(),
    }
    this.#summaries = {
      ...shared,
      summariser,
      onSummary: () => this.signal('embedding'),
      onNone: (why) => this.#notices.noSummary(summariser.id, why),
    }
    this.#workers = {
      conversation: this.#worker('conversation', (round) =>
        this.#andThen(round, () => summaryRound('conversation', this.#summaries, round)),
      ),
      exchange: this.#worker('exchange', async (round) => {
        await open.closeAbandoned()
        return summaryRound('exchange', this.#summaries, round)
      }),
      embedding: this.#worker('embedding', (round) =>
        this.#andThen(round, () =>
          againOnceMended(() => embeddingRound({ ...shared, index, others: options.others }, round)),
        ),
      ),
    }
  }

  /** When there is nothing left to do, what can be made of all that was done. */
  async #andThen(round: Round, work: () => Promise<RoundResult>): Promise<RoundResult> {
    const result = await work()
    if (result.done.length === 0 && !round.signal.aborted) await this.#options.afterRound?.(round.signal)
    return result
  }

  /** Runs what is switched on, until `stop`. Switching is noticed while they run. */
  start(): void {
    for (const name of WORKERS) this.#workers[name].start()
  }

  async stop(): Promise<void> {
    await Promise.all(WORKERS.map((name) => this.#workers[name].stop()))
  }

  /** Something has happened that one of them, or all, should look at. */
  signal(name?: WorkerName): void {
    for (const worker of name ? [name] : WORKERS) this.#workers[worker].signal()
  }

  /** Does in this call what there is to do now, in the order in which one needs the other. Returns how many are done. */
  async runOnce(
    signal: AbortSignal,
    only: readonly WorkerName[] = WORKERS,
  ): Promise<Record<WorkerName, number>> {
    const settings = await this.#options.settings.read()
    const all: Record<WorkerName, number> = { conversation: 0, exchange: 0, embedding: 0 }
    const summariesFirst = ['exchange', 'conversation', 'embedding'] as const
    // A model takes its time, if it answers at all: whatever is new is found by its meaning before.
    const isSlow = this.#options.summariser.id !== EXTRACTIVE
    for (const name of isSlow ? (['embedding', ...summariesFirst] as const) : summariesFirst) {
      if (!only.includes(name) || !settings[ENABLED[name]]) continue
      const { done, failed } = await this.#workers[name].drain(signal)
      all[name] += done
      this.#failed.set(name, failed)
      const { problem } = this.#workers[name].activity
      if (problem) this.#problems.set(name, problem)
      else this.#problems.delete(name)
    }
    return all
  }

  /** How many in `runOnce` could not be done: they wait for their next try, or are given up. */
  failedOf(name: WorkerName): number {
    return this.#failed.get(name) ?? 0
  }
  readonly #failed = new Map<WorkerName, number>()

  /** Why a worker could not go on in `runOnce`. */
  get problems(): ReadonlyMap<WorkerName, string> {
    return this.#problems
  }
  readonly #problems = new Map<WorkerName, string>()

  async enable(name: WorkerName, on: boolean): Promise<void> {
    await this.#options.settings.write(ENABLED[name], on)
    this.#resume()
  }

  /** `embeddings`: where they have been counted already, which takes its time with a long history. */
  async status(name: WorkerName, embeddings?: EmbeddingCounts): Promise<WorkerStatus> {
    const { storage, person, clock, settings } = this.#options
    const seen = (await seenWorkers(storage, person, clock())).filter(({ worker }) => worker === name)
    const active = seen.find(({ state }) => state === 'running') ?? seen[0]
    const problem = active?.problem ?? this.#problems.get(name)
    const workName = await this.#workName(name)
    const enabled = (await settings.read())[ENABLED[name]]
    // One that was switched on just now shows itself after its first look.
    const isHere = enabled && this.#workers[name].isStarted
    return {
      worker: name,
      state: active?.state ?? (isHere ? 'idle' : 'stopped'),
      enabled,
      processes: Math.max(seen.length, isHere ? 1 : 0),
      ...shown(active),
      waiting: await this.#waiting(name, embeddings),
      totals: await this.#totals.of(name),
      failures: await this.#queue.failures(workName),
      queue: await this.#queue.counts(workName),
      ...(problem && { problem }),
    }
  }

  /** What could not be done, of all three, a page at a time. */
  async queue(request: { after?: string | undefined; limit?: number } = {}): Promise<QueuePage<WorkerName>> {
    const { after, limit = 50 } = request
    const names = await Promise.all(WORKERS.map((name) => this.#workName(name)))
    const page = await this.#queue.page(names, { after, limit })
    const items = page.items.map((item) => ({ ...item, worker: WORKERS[names.indexOf(item.worker)]! }))
    return { ...page, items }
  }

  /** Brings back what has been given up, and what waits for its next try: all of it, or one item. */
  async retry(only?: { worker: WorkerName; itemId: string }): Promise<number> {
    let count = 0
    for (const name of only ? [only.worker] : WORKERS)
      count += await this.#queue.retry(await this.#workName(name), only?.itemId)
    this.#resume()
    return count
  }

  /** Takes what has been given up off the list; `retry` brings it back, too. */
  async clear(): Promise<number> {
    let count = 0
    for (const name of WORKERS) count += await this.#queue.clear(await this.#workName(name))
    return count
  }

  /** Deletes all vectors of the kinds, to be made again. */
  async rebuild(kinds: readonly ItemKind[]): Promise<void> {
    const before = await this.#workName('embedding')
    for (const kind of kinds) await this.#options.index.of(kind).drop()
    await this.#claims.forget(before)
    this.signal('embedding')
  }

  /** Vectors there are and vectors there should be, by kind. */
  async embeddings(): Promise<EmbeddingCounts> {
    const { index } = this.#options
    const workName = await this.#workName('embedding')
    const of = async (kind: ItemKind) => {
      const { made, waiting } = await index.tally(kind)
      const failed = await this.#queue.countOf(workName, kind)
      return { embedded: Math.max(0, made - failed), waiting: waiting + failed }
    }
    return { conversation: await of('conversation'), exchange: await of('exchange') }
  }

  async #waiting(name: WorkerName, embeddings: EmbeddingCounts | undefined): Promise<number> {
    if (name !== 'embedding') return (await dueSummaries(name, this.#summaries)).count()
    const counts = embeddings ?? (await this.embeddings())
    return counts.conversation.waiting + counts.exchange.waiting
  }

  async #workName(name: WorkerName): Promise<string> {
    return name === 'embedding' ? embeddingWorkerName(this.#options.index) : name
  }

  #resume(): void {
    for (const name of WORKERS) this.#workers[name].resume()
  }

  #worker(name: WorkerName, round: RoundWork): Worker {
    const { storage, person, clock, settings } = this.#options
    return new Worker({
      name,
      owner: this.#claims.owner,
      storage,
      person,
      clock,
      round: async (given) => {
        const result = await round(given)
        this.#notices.after(name, given, result)
        return result
      },
      onTrouble: (error) => this.#notices.hear(name, error),
      enabled: async () => (await settings.read())[ENABLED[name]],
      restSeconds: async () => {
        const { summarizerIdleTimeout, embeddingPipelinePollInterval } = await settings.read()
        return name === 'embedding' ? embeddingPipelinePollInterval : summarizerIdleTimeout
      },
    })
  }
}

function shown(active: SeenWorker | undefined): Pick<WorkerStatus, 'currentItem' | 'progress'> {
  if (active?.state !== 'running') return {}
  return {
    ...(active.currentItem && { currentItem: active.currentItem }),
    progress: { done: active.done, total: active.total },
  }
}
