import type { Embedder } from '../../embedding/embedder.ts'
import { isRalphError, RalphError } from '../../errors.ts'
import { missing, remade } from '../../retrieval/catch-up.ts'
import type { Storage } from '../../storage/storage.ts'
import { type ConversationIndex, ITEM_KINDS } from '../conversation-index.ts'
import type { ItemDraft, ItemKind } from '../documents.ts'
import type { ConversationSettings } from '../settings.ts'
import type { Claims } from './claims.ts'
import { NOTHING, type Round, type RoundResult } from './worker.ts'
import type { WorkerTotals } from './worker-totals.ts'

export interface EmbeddingOptions {
  storage: Storage
  index: ConversationIndex
  claims: Claims
  totals: WorkerTotals
  settings: () => Promise<ConversationSettings>
  others?: AlsoEmbedded | undefined
}

/** Something else whose vectors the pipeline makes, when conversations have theirs. */
export interface AlsoEmbedded {
  name: string
  /** How many wait for a vector; next to nothing to ask. */
  waiting(): Promise<number>
  /** Embeds them, and returns which. */
  embed(signal: AbortSignal): Promise<readonly string[]>
}

const RETRIED_AT_ONCE = 20

/** Failures belong to one index: another person's index of the same history has its own. Asking makes none. */
export async function embeddingWorkerName(index: ConversationIndex): Promise<string> {
  return `embedding@${await index.knownIdentity()}`
}

/** One round of the pipeline: everything that has changed since the last one gets its vector. */
export async function embeddingRound(options: EmbeddingOptions, round: Round): Promise<RoundResult> {
  const { index, claims } = options
  const settings = await options.settings()
  const { embedder, problem } = await index.meaning.open()
  if (problem) index.meaning.sayItIsOff(problem)
  if (!embedder) {
    await index.catchUpWords({ signal: round.signal, readyFor: {} })
    const trouble = new RalphError('unavailable', 'the embedder cannot be used; what is new waits for it', {
      hint: 'ralph doctor',
    })
    return { ...NOTHING, troubled: true, trouble }
  }
  await index.ready(embedder)
  await index.sayIfWithoutTokens(embedder)
  await index.catchUpWords({ signal: round.signal, readyFor: { embedder } })
  await index.identity()
  await index.includeUnsummarised(embedder)
  const worker = await embeddingWorkerName(index)
  const run = new EmbeddingRun(options, embedder, settings, worker, round)
  await claims.releaseAbandoned(worker)
  await run.retries()
  for (const kind of ITEM_KINDS) await run.changed(kind)
  if (options.others) await run.others(options.others)
  return run.result()
}

class EmbeddingRun {
  readonly #options: EmbeddingOptions
  readonly #embedder: Embedder
  readonly #settings: ConversationSettings
  readonly #worker: string
  readonly #round: Round
  readonly #done: string[] = []
  readonly #failed: string[] = []
  /** The limit is reached: whatever comes next would be refused, too. */
  #stopped: RalphError | undefined

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
      done: this.#done,
      failed: this.#failed,
      troubled: this.#stopped !== undefined || (this.#failed.length > 0 && this.#done.length === 0),
      ...(this.#stopped && { trouble: this.#stopped }),
      nextDue: await this.#options.claims.nextDue(this.#worker),
    }
  }

  /** Failed before, or held by somebody who died: one at a time, so that a bad one does not take others along. */
  async retries(): Promise<void> {
    const { claims, index, storage } = this.#options
    const due = await claims.due(this.#worker, RETRIED_AT_ONCE)
    for (const item of await claims.take(this.#worker, due)) {
      const [kind, id] = splitItem(item)
      const [draft] = await index.drafts.of(kind, [id])
      if (this.#stopped) await claims.release(this.#worker, [item])
      else if (draft) await this.#embed(kind, [draft])
      else await storage.transaction((db) => claims.done(db, this.#worker, [item]))
    }
  }

  /** One process at a time. What is done stays done when it is ended on the way. */
  async others({ name, waiting, embed }: AlsoEmbedded): Promise<void> {
    const { claims, storage } = this.#options
    const total = await waiting()
    if (total === 0 || this.#round.signal.aborted || this.#stopped) return
    if ((await claims.take(this.#worker, [name])).length === 0) return
    this.#round.progress({ currentItem: `${total} pieces of ${name}`, total, done: 0 })
    try {
      const done = await claims.holding(this.#worker, [name], () => embed(this.#round.signal))
      this.#done.push(...done)
    } catch (error) {
      if (isRalphError(error) && error.code === 'limit_reached') this.#stopped = error
      else if (!this.#round.signal.aborted) throw error
    } finally {
      await storage.transaction((db) => claims.done(db, this.#worker, [name]))
    }
  }

  async changed(kind: ItemKind): Promise<void> {
    const { index } = this.#options
    if (this.#stopped) return
    const newest = await index.drafts.newestRevision()
    const { waiting } = await index.tally(kind, this.#embedder)
    if (waiting > 0) this.#round.progress({ total: waiting, done: 0 })
    const size = Math.min(this.#settings.embeddingBatchSize, this.#embedder.maxBatch)
    let done = 0
    for (let after = await index.vectorsUpTo(kind, this.#embedder); !this.#round.signal.aborted; ) {
      const { drafts, last } = await index.drafts.after(kind, after, size)
      if (drafts.length === 0) {
        // Only up to what was there when we looked: later changes are the next round's.
        if (last <= newest) await index.advanceVectors(kind, newest, this.#embedder)
        return
      }
      if (!(await this.#page(kind, drafts))) return
      // Each of them now has its vector, or a row in the list of work: nobody needs to look at this page again.
      await index.advanceVectors(kind, last, this.#embedder)
      after = last
      done += drafts.length
      this.#round.progress({ done })
    }
  }

  /** Returns false when it was cancelled on the way, or may cost no more. */
  async #page(kind: ItemKind, drafts: readonly ItemDraft[]): Promise<boolean> {
    const { index, claims } = this.#options
    const findable = drafts.filter(({ isFindable }) => isFindable)
    const wanting = await missing(index.of(kind), findable, this.#embedder)
    const taken = new Set(
      await claims.take(
        this.#worker,
        wanting.map(({ itemId }) => itemName(kind, itemId)),
      ),
    )
    const mine = wanting.filter(({ itemId }) => taken.has(itemName(kind, itemId)))
    return mine.length === 0 || this.#embed(kind, mine)
  }

  /**
   * Returns those that have changed meanwhile, as they are now. Whoever changed them may have seen that they are ours and left
   * them to us, so they stay ours until what is stored is what they are.
   */
  async #store(kind: ItemKind, drafts: readonly ItemDraft[]): Promise<readonly ItemDraft[]> {
    const { claims, storage, index, totals } = this.#options
    const { signal } = this.#round
    const collection = index.of(kind)
    const embedded = await remade(collection, drafts, this.#embedder, signal)
    await collection.write({ put: drafts, embedded }, this.#embedder, signal)
    const ids = drafts.map(({ itemId }) => itemId)
    const changed = await storage.transaction(async (db) => {
      const newest = await index.drafts.revisions(db, kind, ids)
      const isChanged = ({ itemId, revision }: ItemDraft) => (newest.get(itemId) ?? revision) !== revision
      const done = drafts.filter((draft) => !isChanged(draft))
      const items = done.map(({ itemId }) => itemName(kind, itemId))
      if (items.length > 0) await claims.done(db, this.#worker, items)
      await totals.count(db, 'embedding', { completed: items.length })
      return drafts.filter(isChanged)
    })
    return index.drafts.of(
      kind,
      changed.map(({ itemId }) => itemId),
    )
  }

  /** All of the batch are stored, or none. */
  async #embed(kind: ItemKind, drafts: readonly ItemDraft[]): Promise<boolean> {
    const { claims, storage, totals } = this.#options
    const { signal } = this.#round
    const items = drafts.map(({ itemId }) => itemName(kind, itemId))
    this.#round.progress({ currentItem: items.length === 1 ? items[0] : `${items.length} ${kind}s` })
    try {
      await claims.holding(this.#worker, items, async () => {
        for (let rest = drafts; rest.length > 0; ) rest = await this.#store(kind, rest)
      })
      this.#done.push(...items)
      return true
    } catch (error) {
      if (signal.aborted) {
        await claims.release(this.#worker, items)
        return false
      }
      if (isRalphError(error) && error.code === 'limit_reached') {
        this.#stopped = error
        await claims.release(this.#worker, items)
        return false
      }
      // The index is empty now: what this round has done before is gone, the next one begins anew.
      if (isRalphError(error) && error.code === 'damaged') {
        await claims.release(this.#worker, items)
        throw error
      }
      this.#failed.push(...items)
      const givenUp = await claims.fail(this.#worker, items, error, this.#settings.embeddingMaxRetries)
      if (givenUp > 0) await storage.transaction((db) => totals.count(db, 'embedding', { failed: givenUp }))
      return true
    }
  }
}

function itemName(kind: ItemKind, id: string): string {
  return `${kind}:${id}`
}

function splitItem(name: string): [ItemKind, string] {
  const at = name.indexOf(':')
  return [name.slice(0, at) as ItemKind, name.slice(at + 1)]
}
