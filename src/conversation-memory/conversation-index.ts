import { randomBytes } from 'node:crypto'
import type { Embedder } from '../embedding/embedder.ts'
import { isRalphError } from '../errors.ts'
import type { Person } from '../identity/person.ts'
import { beginAnewIfAhead, catchUp, missing, newWords } from '../retrieval/catch-up.ts'
import { Collection } from '../retrieval/collection.ts'
import type { Draft } from '../retrieval/draft.ts'
import type { Meaning } from '../retrieval/meaning.ts'
import { againOnceMended } from '../retrieval/mending.ts'
import type { RetrievalParts } from '../retrieval/parts.ts'
import type { Storage } from '../storage/storage.ts'
import type { GivenVector } from './backup-line.ts'
import {
  CONVERSATION_FILTER_TYPES,
  CONVERSATION_FILTERS,
  conversationDocumentId,
  EXCHANGES,
  exchangeDocumentId,
  exchangeDraft,
  type ItemKind,
  SUMMARIES,
} from './documents.ts'
import { Drafts, WORDS } from './drafts.ts'
import type { StoredExchange } from './write-exchanges.ts'

export const ITEM_KINDS: readonly ItemKind[] = ['conversation', 'exchange']
/** Names, in the state of the index, up to which revision everything has its vector. */
const VECTORS = 'vectors'
/** The same, where the sketches of the tokens come with it. */
const TOKENS = 'tokens'
/** The highest revision that was ever seen, whatever is missing before it. */
const HIGHEST = 'highest'
/** How far what was withdrawn has been taken out. */
const WITHDRAWN = 'withdrawn'
/** Says, in the state of the index, that exchanges have their vectors whether they have summaries or not. */
const UNSUMMARISED = 'without-summaries'
/** Key of the notice. */
const NOT_INDEXED = 'conversations.index'

export interface CatchUpWords {
  limit?: number
  signal?: AbortSignal | undefined
  /** The embedder that everything was made ready for just now, if there is one. */
  readyFor?: { embedder?: Embedder | undefined }
}

/**
 * The documents of all conversations. What is written is found by words at once; vectors come later, from the pipeline.
 * How far each of the two has come is a revision in the index's own state.
 */
export class ConversationIndex {
  readonly drafts: Drafts
  readonly meaning: Meaning
  readonly #parts: RetrievalParts
  readonly #collections: Record<ItemKind, Collection>

  constructor(parts: RetrievalParts & { storage: Storage; person: Person }) {
    this.#parts = parts
    this.drafts = new Drafts(parts.storage, parts.person)
    const filters = { filterable: CONVERSATION_FILTERS, types: CONVERSATION_FILTER_TYPES }
    this.#collections = {
      exchange: new Collection(parts, { name: EXCHANGES, ...filters, tokens: true }),
      conversation: new Collection(parts, { name: SUMMARIES, ...filters }),
    }
    this.meaning = this.#collections.exchange.meaning
  }

  of(kind: ItemKind): Collection {
    return this.#collections[kind]
  }

  /** Makes both fit for the embedder in use, which it returns; vectors of another model are dropped and made again. */
  async ready(opened?: Embedder): Promise<Embedder | undefined> {
    const embedder = opened ?? (await this.meaning.openIfUp())
    for (const kind of ITEM_KINDS) {
      const { emptied } = await this.of(kind).fit(embedder)
      if (emptied !== 'the embedding model changed') continue
      this.#parts.notices.once({
        key: 'conversations.other_embedder',
        message: 'the embedding model changed: conversations are embedded again in the background',
        hint: 'ralph workers run',
      })
    }
    return embedder
  }

  /**
   * Makes exchanges that were just written findable by words, replacing what stood in the index. They are stored
   * already: an index that is down is said once, and catches up when it is back.
   */
  async indexWords(
    exchanges: readonly StoredExchange[],
    revisions: { after: number; upTo: number },
  ): Promise<void> {
    const { notices } = this.#parts
    try {
      const drafts = exchanges.map(({ row, steps }) => exchangeDraft(row, steps))
      const put = drafts.filter(({ isFindable }) => isFindable)
      await againOnceMended(() => this.#writeWords(put, revisions))
      notices.recovered(NOT_INDEXED)
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      const message = `conversations are stored, but not indexed yet: ${error.message}`
      notices.once({ key: NOT_INDEXED, message, hint: error.hint ?? 'ralph doctor' })
    }
  }

  async #writeWords(put: readonly Draft[], revisions: { after: number; upTo: number }): Promise<void> {
    const embedder = await this.ready()
    await this.#requireNotAhead()
    // With everything before it indexed, too, nobody needs to look for it again.
    const seen = await this.#cursor('exchange', WORDS)
    const upTo = Math.max(seen, revisions.upTo)
    const highest = Math.max(upTo, await this.#cursor('exchange', HIGHEST))
    const state = await this.of('exchange').stateWith(HIGHEST, highest)
    if (seen >= revisions.after) state.sources[WORDS] = { cursor: upTo, words_only: false }
    await this.of('exchange').write({ ...(await newWords(this.of('exchange'), put)), state }, embedder)
  }

  /**
   * Finds by words whatever was written by somebody who could not index it (killed, another machine). Cheap when
   * there is nothing to do. Returns how many exchanges are still missing when `limit` ended it.
   */
  async catchUpWords(options: CatchUpWords = {}): Promise<number> {
    const { limit, signal } = options
    const wordsFor = options.readyFor ?? { embedder: await this.ready() }
    await this.#requireNotAhead()
    await this.#removeWithdrawn(wordsFor.embedder)
    await catchUp(this.of('exchange'), [this.drafts.words(limit)], { wordsFor, signal })
    if (limit === undefined) return 0
    const seen = await this.#cursor('exchange', WORDS)
    const isLevel = seen >= (await this.drafts.newestRevision())
    return isLevel ? 0 : this.drafts.count('exchange', seen)
  }

  #requireNotAhead(): Promise<void> {
    const collections = ITEM_KINDS.map((kind) => this.of(kind))
    return beginAnewIfAhead(collections, () => this.drafts.newestRevision())
  }

  /** What others have taken back, and what was forgotten elsewhere. */
  async #removeWithdrawn(embedder: Embedder | undefined): Promise<void> {
    for (;;) {
      const found = await this.drafts.withdrawnAfter(await this.#cursor('exchange', WITHDRAWN))
      if (!found) return
      for (const { conversationId, exchangeIds } of found.gone) await this.forget(conversationId, exchangeIds)
      const state = await this.of('exchange').stateWith(WITHDRAWN, found.upTo)
      await this.of('exchange').write({ state }, embedder)
    }
  }

  /** Vectors that were made before, by item: those of the same embedder and the very same text need not be made again. */
  async takeOver(kind: ItemKind, given: ReadonlyMap<string, GivenVector>): Promise<number> {
    const embedder = given.size > 0 ? await this.meaning.openIfUp() : undefined
    if (!embedder) return 0
    const drafts = (await this.drafts.of(kind, [...given.keys()])).filter(
      ({ itemId, textHash, isFindable }) => {
        const made = given.get(itemId)!
        const isSame = made.embedderId === embedder.id && made.vector.length === embedder.dimensions
        return isFindable && isSame && made.textHash === textHash
      },
    )
    const put = await missing(this.of(kind), drafts, embedder)
    await this.of(kind).write({ put, embedded: put.map(({ itemId }) => given.get(itemId)!) }, embedder)
    return put.length
  }

  /** Those of the items that have a vector, with it. */
  async vectorsOf(kind: ItemKind, ids: readonly string[]): Promise<Map<string, GivenVector>> {
    const made = await this.of(kind).vectorsOf(ids.map((id) => documentIdOf(kind, id)))
    return new Map(
      ids.flatMap((id) => {
        const vector = made.get(documentIdOf(kind, id))
        return vector ? [[id, vector]] : []
      }),
    )
  }

  /** There is a history of which the index knows nothing. */
  async isLost(): Promise<boolean> {
    if ((await this.#cursor('exchange', WORDS)) > 0) return false
    return (await this.drafts.count('exchange', 0)) > 0
  }

  /** Of what this embedder makes; without one, of what was made last. */
  async vectorsUpTo(kind: ItemKind, embedder?: Embedder): Promise<number> {
    const state = await this.of(kind).state()
    const last = state.sources[TOKENS] ? TOKENS : VECTORS
    return cursorOf(state, embedder ? this.#made(kind, embedder) : last)
  }

  /** Another one when something has been indexed or embedded since. */
  async mark(): Promise<string> {
    const states = await Promise.all(ITEM_KINDS.map((kind) => this.of(kind).state()))
    return JSON.stringify(states.map(({ sources }) => sources))
  }

  #made(kind: ItemKind, embedder: Embedder): string {
    return this.of(kind).keepsTokensOf(embedder) ? TOKENS : VECTORS
  }

  /** Said before an index from a time without token sketches is gone through again. */
  async sayIfWithoutTokens(embedder: Embedder): Promise<void> {
    if (this.#made('exchange', embedder) !== TOKENS) return
    const { sources } = await this.of('exchange').state()
    if (sources[TOKENS] || !sources[VECTORS]) return
    this.#parts.notices.once({
      key: 'conversations.without_tokens',
      message: 'conversations are embedded again in the background: they are now compared word by word, too',
      hint: 'ralph workers run',
    })
  }

  /** Up to here nobody needs to look again. Never moves backwards: others may have come further. */
  async advanceVectors(kind: ItemKind, revision: number, embedder: Embedder): Promise<void> {
    if ((await this.vectorsUpTo(kind, embedder)) >= revision) return
    const state = await this.of(kind).stateWith(this.#made(kind, embedder), revision)
    await this.of(kind).write({ state }, embedder)
  }

  /** How many items of a kind have their vector, and how many the pipeline has yet to look at. */
  async tally(kind: ItemKind, embedder?: Embedder): Promise<{ made: number; waiting: number }> {
    const all = await this.drafts.count(kind, 0)
    const waiting = await this.drafts.count(kind, await this.vectorsUpTo(kind, embedder))
    return { made: all - waiting, waiting }
  }

  /** Exchanges once had to wait for their summaries: those that were passed over then are looked at again, once. */
  async includeUnsummarised(embedder: Embedder): Promise<void> {
    const exchanges = this.of('exchange')
    if ((await exchanges.state()).sources[UNSUMMARISED]) return
    const before = (await this.drafts.oldestUnsummarised()) - 1
    const state = await exchanges.stateWith(UNSUMMARISED, true)
    const made = this.#made('exchange', embedder)
    const seen = await this.#cursor('exchange', made)
    if (before < seen) state.sources = { ...state.sources, [made]: { cursor: before, words_only: false } }
    await exchanges.write({ state }, embedder)
  }

  /** Looks at every document again: what has lost its vector gets a new one. */
  async distrust(kind: ItemKind): Promise<void> {
    const embedder = await this.ready()
    const { sources, ...state } = await this.of(kind).state()
    const { [VECTORS]: _vectors, [TOKENS]: _tokens, [UNSUMMARISED]: _unsummarised, ...others } = sources
    await this.of(kind).write({ state: { ...state, sources: others } }, embedder)
  }

  /** Compares all of it with the history; what is missing then, the workers make again. */
  async clear(signal?: AbortSignal): Promise<void> {
    await this.removeForgotten(signal)
    for (const kind of ITEM_KINDS) await this.distrust(kind)
  }

  /** Undefined while there is no index: then nothing waits for it either. */
  async knownIdentity(): Promise<string | undefined> {
    return (await this.of('exchange').state()).id
  }

  /** Several people may keep their own index of one history; what waits for one of them does not wait for the others. */
  async identity(): Promise<string> {
    const id = await this.knownIdentity()
    if (id !== undefined) return id
    const embedder = await this.ready()
    const state = { ...(await this.of('exchange').state()), id: randomBytes(6).toString('hex') }
    await this.of('exchange').write({ state }, embedder)
    return state.id
  }

  async forget(conversationId: string, exchangeIds: readonly string[]): Promise<void> {
    await this.of('exchange').remove(exchangeIds.map(exchangeDocumentId))
    await this.of('conversation').remove([conversationDocumentId(conversationId)])
  }

  /** Removes what the history has not, or no longer. */
  async removeForgotten(signal?: AbortSignal): Promise<void> {
    for (const kind of ITEM_KINDS) {
      const gone = await this.of(kind).unwanted(async (page) => {
        const items = new Map(page.map(({ id, payload }) => [id, String(payload[kind])]))
        const existing = await this.drafts.existing(kind, [...items.values()])
        const isOwn = (id: string) =>
          documentIdOf(kind, items.get(id)!) === id && existing.has(items.get(id)!)
        return new Set(page.map(({ id }) => id).filter(isOwn))
      }, signal)
      await this.of(kind).remove(gone)
    }
  }

  async #cursor(kind: ItemKind, source: string): Promise<number> {
    return cursorOf(await this.of(kind).state(), source)
  }
}

function documentIdOf(kind: ItemKind, id: string): string {
  return kind === 'exchange' ? exchangeDocumentId(id) : conversationDocumentId(id)
}

function cursorOf({ sources }: Awaited<ReturnType<Collection['state']>>, source: string): number {
  const cursor = sources[source]?.cursor
  return typeof cursor === 'number' ? cursor : 0
}
