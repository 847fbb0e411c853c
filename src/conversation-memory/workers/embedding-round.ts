import type { Embedder } from '../../embedding/embedder.ts'
import { RalphError } from '../../errors.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Draft } from '../documents.ts'
import { collectionOf, type Indexing, type Kind } from '../indexing.ts'
import type { ConversationSettings } from '../settings.ts'
import type { Claims } from './claims.ts'
import type { Spend } from './spend.ts'
import type { Round, RoundResult } from './worker.ts'

export interface EmbeddingOptions {
  storage: Storage
  indexing: Indexing
  claims: Claims
  spend: Spend
  settings: () => Promise<ConversationSettings>
}

const KINDS: readonly Kind[] = ['conversation', 'exchange']
const RETRIED_AT_ONCE = 20

/** Failures belong to one index: another person's index of the same history has its own. */
export async function embeddingWorkerName(indexing: Indexing): Promise<string> {
  return `embedding@${await indexing.identity()}`
}

/** One round of the pipeline: everything that has changed since the last one gets its vector. */
export async function embeddingRound(options: EmbeddingOptions, round: Round): Promise<RoundResult> {
  const { indexing, claims } = options
  const settings = await options.settings()
  const embedder = await indexing.embedderIfUp()
  if (!embedder) {
    throw new RalphError('unavailable', 'the embedder cannot be used; summaries wait for it', {
      hint: 'ralph doctor',
    })
  }
  await indexing.ready(embedder)
  await indexing.catchUpWords({ signal: round.signal })
  const run = new EmbeddingRun(options, embedder, settings, await embeddingWorkerName(indexing), round)
  await claims.releaseDead()
  await run.retries()
  for (const kind of KINDS) await run.changed(kind)
  return run.result()
}

class EmbeddingRun {
  readonly #options: EmbeddingOptions
  readonly #embedder: Embedder
  readonly #settings: ConversationSettings
  readonly #worker: string
  readonly #round: Round
  #handled = 0
  #failed = 0

  constructor(
    options: EmbeddingOptions,
    embedder: Embedder,
    settings: ConversationSettings,
    worker: string,
    round: Round,
  ) {
    this.#options = options
    this.#embedder = embedder
    this.#settings = settings
    this.#worker = worker
    this.#round = round
  }

  async result(): Promise<RoundResult> {
    return {
      handled: this.#handled,
      troubled: this.#failed > 0 && this.#failed === this.#handled,
      nextDue: await this.#options.claims.nextDue(this.#worker),
    }
  }

  /** Failed before, or held by somebody who died: one at a time, so that a bad one does not take others along. */
  async retries(): Promise<void> {
    const { claims, indexing, storage } = this.#options
    const due = await claims.due(this.#worker, RETRIED_AT_ONCE)
    for (const item of await claims.take(this.#worker, due)) {
      const [kind, id] = splitItem(item)
      const [draft] = await indexing.drafts(kind, [id])
      if (draft) await this.#embed(kind, [draft])
      else await storage.transaction((db) => claims.done(db, this.#worker, [item]))
    }
  }

  async changed(kind: Kind): Promise<void> {
    const { indexing } = this.#options
    const withoutSummary = !this.#settings.summarizerExchangeEnabled
    const newest = await indexing.newestRevision()
    const { waiting } = await indexing.tally(kind, { withoutSummary })
    if (waiting > 0) this.#round.progress({ total: waiting, done: 0 })
    const size = Math.min(this.#settings.embeddingBatchSize, this.#embedder.maxBatch)
    let done = 0
    for (let after = await indexing.vectorsUpTo(kind); !this.#round.signal.aborted; ) {
      const { drafts, last } = await indexing.draftsAfter(kind, after, size, { withoutSummary })
      if (drafts.length === 0) {
        // Only up to what was there when we looked: later changes are the next round's.
        if (last <= newest) await indexing.advanceVectors(kind, newest)
        return
      }
      if (!(await this.#page(kind, drafts))) return
      // Each of them now has its vector, or a row in the list of work: nobody needs to look at this page again.
      await indexing.advanceVectors(kind, last)
      after = last
      done += drafts.length
      this.#round.progress({ done })
    }
  }

  /** Returns false when it was cancelled on the way. */
  async #page(kind: Kind, drafts: readonly Draft[]): Promise<boolean> {
    const { indexing, claims } = this.#options
    const known = await indexing.index.known(
      collectionOf(kind),
      drafts.map(({ document }) => document.id),
    )
    const missing = drafts.filter(({ document }) => {
      const stored = known.get(document.id)
      return !stored?.hasVector || stored.textHash !== document.textHash
    })
    const taken = new Set(
      await claims.take(
        this.#worker,
        missing.map(({ itemId }) => itemName(kind, itemId)),
      ),
    )
    const mine = missing.filter(({ itemId }) => taken.has(itemName(kind, itemId)))
    return mine.length === 0 || this.#embed(kind, mine)
  }

  /** All of the batch are stored, or none. */
  async #embed(kind: Kind, drafts: readonly Draft[]): Promise<boolean> {
    const { claims, storage, indexing, spend } = this.#options
    const { signal } = this.#round
    const items = drafts.map(({ itemId }) => itemName(kind, itemId))
    this.#round.progress({ currentItem: items.length === 1 ? items[0] : `${items.length} ${kind}s` })
    this.#handled += items.length
    try {
      if (await spend.exhausted()) await this.#refuseToPay()
      await claims.holding(this.#worker, items, async () => {
        const before = { ...this.#embedder.usage }
        const vectors = await this.#embedder.embed(
          drafts.map(({ embedded }) => embedded),
          'document',
          signal,
        )
        indexing.sayEmbedderWorks()
        await indexing.index.upsert(
          collectionOf(kind),
          drafts.map(({ document }, at) => ({ ...document, vector: vectors[at]! })),
          signal,
        )
        const { tokens, costUsd } = this.#embedder.usage
        const usage = {
          inputTokens: tokens - before.tokens,
          outputTokens: 0,
          costUsd: Math.max(0, costUsd - before.costUsd),
        }
        await storage.transaction(async (db) => {
          await claims.done(db, this.#worker, items)
          await spend.count(db, 'embedding', { completed: items.length, usage })
        })
      })
      return true
    } catch (error) {
      if (signal.aborted) {
        await claims.release(this.#worker, items)
        return false
      }
      this.#failed += items.length
      const givenUp = await claims.fail(this.#worker, items, error, this.#settings.embeddingMaxRetries)
      if (givenUp > 0) await storage.transaction((db) => spend.count(db, 'embedding', { failed: givenUp }))
      return true
    }
  }

  /** Local embedders are free, and go on. */
  async #refuseToPay(): Promise<void> {
    if (this.#embedder.usage.costUsd === 0) return
    throw new RalphError('limit_reached', `max_spend of $${this.#options.spend.limitUsd} is reached`, {
      hint: 'Raise language_model.max_spend to go on.',
    })
  }
}

function itemName(kind: Kind, id: string): string {
  return `${kind}:${id}`
}

function splitItem(name: string): [Kind, string] {
  const at = name.indexOf(':')
  return [name.slice(0, at) as Kind, name.slice(at + 1)]
}
