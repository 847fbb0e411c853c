import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Embedder, EmbedderSource } from '../embedding/embedder.ts'
import { isRalphError, messageOf, throwIfAborted } from '../errors.ts'
import type { Notices } from '../notices.ts'
import type { CollectionSpec, SearchIndex } from '../search-index/search-index.ts'
import type { Storage } from '../storage/storage.ts'
import {
  conversationDocumentId,
  conversationDraft,
  type Draft,
  EXCHANGES,
  exchangeDocumentId,
  exchangeDraft,
  FILTERABLE,
  SUMMARIES,
} from './documents.ts'
import { exchangeRows } from './exchange-rows.ts'
import { History } from './history.ts'
import { newestRevision } from './revisions.ts'
import type { StoredExchange } from './write-exchanges.ts'

export type Kind = 'exchange' | 'conversation'

/** Up to which revision everything is findable by words, and by meaning. `id` tells this index from any other. */
const State = z.object({
  id: z.string().default(''),
  words: z.number().default(0),
  vectors: z.number().default(0),
})
type State = z.infer<typeof State>

/** Stands in for the embedder's identity while there is none: rebuilt as soon as there is one. */
const NO_EMBEDDER = { id: 'none', dimensions: 1 }
const PAGE = 500
/** An index may lose its collections while we run: emptied, or replaced by an older one. */
const BELIEVED_MS = 5_000
/** Key of the notice. */
const NOT_INDEXED = 'conversations.index'

export interface IndexingOptions {
  storage: Storage
  index: SearchIndex
  embedder: EmbedderSource
  notices: Notices
}

/** Keeps the disposable index level with the history. It knows by revision what it has not seen. */
export class Indexing {
  readonly #options: IndexingOptions
  readonly #history: History
  /** The identity the collections were last made ready for, and until when that is believed. */
  #ready: { for: string; until: number } | undefined

  constructor(options: IndexingOptions) {
    this.#options = options
    this.#history = new History(options.storage)
  }

  get index(): SearchIndex {
    return this.#options.index
  }

  /** The embedder, or undefined after having said once why there is none. */
  async embedderIfUp(): Promise<Embedder | undefined> {
    try {
      return await this.#options.embedder()
    } catch (error) {
      if (!isRalphError(error)) throw error
      this.sayEmbedderIsDown(error)
      return undefined
    }
  }

  /** Opening proves nothing; an embedding does. */
  sayEmbedderWorks(): void {
    this.#options.notices.recovered('embedder')
  }

  sayEmbedderIsDown(error: unknown): void {
    const hint = isRalphError(error) && error.hint ? error.hint : 'ralph doctor'
    const message = `meaning is off, searching by words only: ${messageOf(error)}`
    this.#options.notices.once({ key: 'embedder', message, hint })
  }

  /** Makes the collections fit for this embedder; vectors of another model are dropped and made again. */
  async ready(embedder: Embedder | undefined): Promise<void> {
    const { index, notices } = this.#options
    const { id, dimensions } = embedder ?? NO_EMBEDDER
    if (this.#ready?.for === id && Date.now() < this.#ready.until) return
    for (const name of [EXCHANGES, SUMMARIES]) {
      const spec: CollectionSpec = { name, embedderId: id, dimensions, filterable: FILTERABLE }
      if ((await index.ensureCollection(spec)) !== 'other_embedder') continue
      // Vectors that nobody can ask for at the moment are worth keeping: the embedder may be back any time.
      if (!embedder) continue
      await index.dropCollection(name)
      await index.ensureCollection(spec)
      notices.once({
        key: 'conversations.other_embedder',
        message: 'the embedding model changed: conversations are embedded again in the background',
        hint: 'ralph workers run',
      })
    }
    this.#ready = { for: id, until: Date.now() + BELIEVED_MS }
  }

  /**
   * Makes exchanges that were just written findable by words, replacing what stood in the index. They are stored
   * already: an index that is down is said once, and catches up when it is back.
   */
  async indexWords(
    exchanges: readonly StoredExchange[],
    revisions: { after: number; upTo: number },
  ): Promise<void> {
    try {
      await this.#indexWords(exchanges, revisions)
      this.#options.notices.recovered(NOT_INDEXED)
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      const message = `conversations are stored, but not searchable for now: ${error.message}`
      this.#options.notices.once({ key: NOT_INDEXED, message, hint: error.hint ?? 'ralph doctor' })
    }
  }

  async #indexWords(
    exchanges: readonly StoredExchange[],
    revisions: { after: number; upTo: number },
  ): Promise<void> {
    await this.ready(await this.embedderIfUp())
    if (exchanges.length > 0) {
      await this.#options.index.upsert(
        EXCHANGES,
        exchanges.map(({ row, steps }) => exchangeDraft(row, steps).document),
      )
    }
    // With everything before it indexed, too, nobody needs to look for it again.
    const { words } = await this.#state(EXCHANGES)
    if (words >= revisions.after) await this.#advance(EXCHANGES, { words: revisions.upTo })
  }

  /**
   * Finds by words whatever was written by somebody who could not index it (killed, another machine). Cheap when
   * there is nothing to do. Returns how many exchanges are still missing when `limit` ended it.
   */
  async catchUpWords({
    limit = Number.POSITIVE_INFINITY,
    signal,
  }: {
    limit?: number
    signal?: AbortSignal
  } = {}): Promise<number> {
    const { index, storage } = this.#options
    await this.ready(await this.embedderIfUp())
    const newest = await this.newestRevision()
    const state = await this.#state(EXCHANGES)
    if (state.words >= newest) return 0
    let seen = state.words
    for (let visited = 0; visited < limit; ) {
      throwIfAborted(signal)
      const rows = await exchangeRows(storage.db)
        .where('revision', '>', seen)
        .orderBy('revision')
        .limit(PAGE)
        .execute()
      if (rows.length === 0) {
        await this.#advance(EXCHANGES, { words: newest })
        return 0
      }
      const drafts = await this.#exchangeDrafts(rows)
      const known = await index.known(
        EXCHANGES,
        drafts.map(({ document }) => document.id),
      )
      const unknown = drafts.filter(({ document }) => !known.has(document.id))
      if (unknown.length > 0)
        await index.upsert(
          EXCHANGES,
          unknown.map(({ document }) => document),
          signal,
        )
      seen = Math.max(...rows.map(({ revision }) => Number(revision)))
      visited += rows.length
      await this.#advance(EXCHANGES, { words: seen })
    }
    return this.#countAfter(seen)
  }

  /** Up to here nobody needs to look again. Never moves backwards: others may have come further. */
  async advanceVectors(kind: Kind, revision: number): Promise<void> {
    await this.#advance(collectionOf(kind), { vectors: revision })
  }

  async vectorsUpTo(kind: Kind): Promise<number> {
    return (await this.#state(collectionOf(kind))).vectors
  }

  /** Looks at every document again: what has lost its vector gets a new one. */
  async distrust(kind: Kind): Promise<void> {
    await this.ready(await this.embedderIfUp())
    const { id } = await this.#state(collectionOf(kind))
    await this.#options.index.writeState(collectionOf(kind), { id, words: 0, vectors: 0 })
  }

  /** Several people may keep their own index of one history; what waits for one of them does not wait for the others. */
  async identity(): Promise<string> {
    await this.ready(await this.embedderIfUp())
    const { id } = await this.#state(EXCHANGES)
    if (id !== '') return id
    await this.#advance(EXCHANGES, { id: randomBytes(6).toString('hex') })
    return (await this.#state(EXCHANGES)).id
  }

  /** How many items of a kind belong into the index with a vector, and how many the pipeline has yet to look at. */
  async tally(
    kind: Kind,
    { withoutSummary }: { withoutSummary: boolean },
  ): Promise<{ all: number; waiting: number }> {
    const since = await this.vectorsUpTo(kind)
    const { db } = this.#options.storage
    const count = async (after: number): Promise<number> => {
      const query =
        kind === 'exchange'
          ? db
              .selectFrom('exchanges')
              .select((select) => select.fn.countAll().as('items'))
              .where('revision', '>', after)
              .$if(!withoutSummary, (some) => some.where('summarised', '=', 1))
          : db
              .selectFrom('conversations')
              .select((select) => select.fn.countAll().as('items'))
              .where('revision', '>', after)
              .where('summary', 'is not', null)
      return Number((await query.executeTakeFirstOrThrow()).items)
    }
    return { all: await count(0), waiting: await count(since) }
  }

  /** Single items as they should stand in the index; those that are gone are left out. */
  async drafts(kind: Kind, ids: readonly string[]): Promise<Draft[]> {
    if (ids.length === 0) return []
    const { db } = this.#options.storage
    if (kind === 'exchange') {
      return this.#exchangeDrafts(
        await exchangeRows(db)
          .where('exchanges.id', 'in', [...ids])
          .execute(),
      )
    }
    const rows = await db
      .selectFrom('conversations')
      .selectAll()
      .where('id', 'in', [...ids])
      .execute()
    return rows.map(conversationDraft)
  }

  /** Drops all vectors of a kind; words come back at once, vectors as the pipeline goes on. */
  async drop(kind: Kind): Promise<void> {
    await this.#options.index.dropCollection(collectionOf(kind))
    this.#ready = undefined
    await this.ready(await this.embedderIfUp())
  }

  async forget(conversationId: string, exchangeIds: readonly string[]): Promise<void> {
    const { index } = this.#options
    await this.ready(await this.embedderIfUp())
    await index.remove(EXCHANGES, exchangeIds.map(exchangeDocumentId))
    await index.remove(SUMMARIES, [conversationDocumentId(conversationId)])
  }

  /** Items changed after a revision, oldest change first, as they should stand in the index. */
  async draftsAfter(
    kind: Kind,
    revision: number,
    limit: number,
    { withoutSummary }: { withoutSummary: boolean },
  ): Promise<{ drafts: Draft[]; last: number }> {
    const { db } = this.#options.storage
    if (kind === 'exchange') {
      let query = exchangeRows(db).where('revision', '>', revision).where('status', '!=', 'open')
      if (!withoutSummary) query = query.where('summarised', '=', 1)
      const rows = await query.orderBy('revision').limit(limit).execute()
      return { drafts: await this.#exchangeDrafts(rows), last: lastRevision(rows, revision) }
    }
    const rows = await db
      .selectFrom('conversations')
      .selectAll()
      .where('revision', '>', revision)
      .where('summary', 'is not', null)
      .orderBy('revision')
      .limit(limit)
      .execute()
    return { drafts: rows.map(conversationDraft), last: lastRevision(rows, revision) }
  }

  newestRevision(): Promise<number> {
    return newestRevision(this.#options.storage.db)
  }

  async #exchangeDrafts(rows: readonly Parameters<typeof exchangeDraft>[0][]): Promise<Draft[]> {
    const steps = await this.#history.steps(rows.map(({ id }) => id))
    return rows.map((row) => exchangeDraft(row, steps.get(row.id) ?? []))
  }

  async #countAfter(revision: number): Promise<number> {
    const row = await this.#options.storage.db
      .selectFrom('exchanges')
      .select((count) => count.fn.countAll().as('waiting'))
      .where('revision', '>', revision)
      .executeTakeFirstOrThrow()
    return Number(row.waiting)
  }

  async #state(collection: string): Promise<State> {
    const parsed = State.safeParse((await this.#options.index.readState(collection)) ?? {})
    return parsed.success ? parsed.data : { id: '', words: 0, vectors: 0 }
  }

  async #advance(collection: string, change: Partial<State>): Promise<void> {
    const state = await this.#state(collection)
    const words = Math.max(state.words, change.words ?? 0)
    const vectors = Math.max(state.vectors, change.vectors ?? 0)
    const id = state.id || (change.id ?? '')
    if (words === state.words && vectors === state.vectors && id === state.id) return
    await this.#options.index.writeState(collection, { id, words, vectors })
  }
}

export function collectionOf(kind: Kind): string {
  return kind === 'exchange' ? EXCHANGES : SUMMARIES
}

function lastRevision(rows: readonly { revision: number }[], fallback: number): number {
  return rows.length ? Number(rows.at(-1)!.revision) : fallback
}
