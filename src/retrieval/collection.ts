import { embedAll } from '../embedding/embed-all.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { throwIfAborted } from '../errors.ts'
import type {
  CollectionSpec,
  Evidence,
  IndexDocument,
  Json,
  Payload,
  SearchRequest,
  StoredDocument,
} from '../search-index/search-index.ts'
import type { Draft } from './draft.ts'
import { Meaning } from './meaning.ts'
import { againOnceMended } from './mending.ts'
import type { RetrievalParts } from './parts.ts'
import { type CollectionState, parseState } from './state.ts'

/** Stands in for the embedder's identity while there is none: the collection is built again as soon as there is one. */
const NO_EMBEDDER = { id: 'none', dimensions: 1 }
const PAGE = 500

/** What a collection holds when somebody wants to use it. */
export interface Fitted {
  documents: number
  state: CollectionState
  /** Why it is empty now, if it is not as it was left. */
  emptied?: string
}

/** Some documents with where they stand in meaning. */
export interface MeaningSample<One = { payload: Payload }> {
  /** Whose vectors they are; absent while there is nothing. */
  embedderId?: string
  /** How many there are in all. */
  documents: number
  sampled: (One & { id: string; vector: Float32Array })[]
}

export interface DraftChange {
  /** Written with these vectors, in their order; without, they are found by words until they are embedded. */
  put?: readonly Draft[]
  vectors?: readonly Float32Array[] | undefined
  remove?: readonly string[]
  state?: CollectionState
}

/** The documents of one memory in the disposable index, fit for the embedder in use. */
export class Collection {
  readonly name: string
  readonly meaning: Meaning
  readonly parts: RetrievalParts
  readonly #filterable: readonly string[]

  constructor(parts: RetrievalParts, options: { name: string; filterable: readonly string[] }) {
    this.name = options.name
    this.parts = parts
    this.meaning = new Meaning(parts)
    this.#filterable = options.filterable
  }

  /** Vectors of another model are dropped, to be made again; without an embedder whatever is there will do. */
  async fit(embedder: Embedder | undefined): Promise<Fitted> {
    const [stored] = await this.parts.index.collections([this.name])
    if (!stored) return { documents: 0, state: { sources: {} }, emptied: 'the index is new' }
    // Vectors that nobody can ask for at the moment are worth keeping: the embedder may be back any time.
    if (!embedder || isOf(embedder, stored))
      return { documents: stored.documents, state: parseState(stored.state) }
    await this.drop()
    return { documents: 0, state: { sources: {} }, emptied: 'the embedding model changed' }
  }

  async size(): Promise<number> {
    const [stored] = await this.parts.index.collections([this.name])
    return stored?.documents ?? 0
  }

  /** Whether this embedder's vectors can be searched in it. */
  async fits(embedder: Embedder): Promise<boolean> {
    const [stored] = await this.parts.index.collections([this.name])
    return !stored || isOf(embedder, stored)
  }

  /** Those that are not stored in these very words, or, where there could be vectors, not with a vector. */
  async missing<One extends Draft>(drafts: readonly One[], vectors: boolean): Promise<One[]> {
    const known = await this.known(drafts.map(({ id }) => id))
    return drafts.filter((draft) => isOutdated(draft, known.get(draft.id), vectors))
  }

  async known(ids: readonly string[]): Promise<Map<string, StoredDocument>> {
    if (ids.length === 0) return new Map()
    const stored = await this.parts.index.read(this.name, { ids })
    return new Map(stored.map((document) => [document.id, document]))
  }

  /**
   * These, and others up to `limit`, always the same: ids are spread evenly, so the first of them are a fair sample, and
   * what comes later rarely changes it.
   */
  async sample(limit: number, first: readonly string[] = []): Promise<MeaningSample> {
    const { index } = this.parts
    const [stored] = await index.collections([this.name])
    if (!stored) return { documents: 0, sampled: [] }
    const found = new Map<string, StoredDocument>()
    const take = (documents: readonly StoredDocument[]) => {
      for (const document of documents) if (found.size < limit) found.set(document.id, document)
    }
    take(await index.read(this.name, { ids: first.slice(0, limit), vectors: true }))
    for (let after: string | undefined; found.size < limit; ) {
      const page = await index.read(this.name, { after, limit: Math.min(limit, PAGE), vectors: true })
      if (page.length === 0) break
      take(page)
      after = page.at(-1)!.id
    }
    const sampled = [...found.values()].flatMap(({ id, payload, vector }) =>
      vector ? [{ id, payload, vector }] : [],
    )
    return { embedderId: stored.embedderId, documents: stored.documents, sampled }
  }

  /** In the order of the drafts. */
  async vectorsOf(
    drafts: readonly Draft[],
    embedder: Embedder,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const lent = await this.parts.lender?.lend(this.name, embedder.id, drafts)
    const unknown = lent ? drafts.filter(({ id }) => !lent.has(id)) : drafts
    const made = await embedAll(
      embedder,
      unknown.map(({ embedded }) => embedded),
      { signal },
    )
    if (made.length > 0) this.meaning.sayItWorks()
    let next = 0
    return drafts.map(({ id }) => lent?.get(id) ?? made[next++]!)
  }

  /** One change, seen as a whole; `embedder` is the one in use, also where words come first and vectors later. */
  async write(
    { put = [], vectors, remove = [], state }: DraftChange,
    embedder: Embedder | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    if (put.length === 0 && remove.length === 0 && state === undefined) return
    const embeddedBy = vectors && embedder ? embedder.id : NO_EMBEDDER.id
    const documents = put.map((draft, at) => documentOf(draft, vectors?.[at], embeddedBy))
    const change = { put: documents, remove, ...(state && { state: state as Json }) }
    await this.parts.index.write(this.#spec(embedder), change, signal)
  }

  async state(): Promise<CollectionState> {
    const [stored] = await this.parts.index.collections([this.name])
    return parseState(stored?.state)
  }

  /** As it is now, with one source further on: others may have moved theirs meanwhile. */
  async stateWith(source: string, cursor: Json, words_only = false): Promise<CollectionState> {
    const state = await this.state()
    return { ...state, sources: { ...state.sources, [source]: { cursor, words_only } } }
  }

  async remove(ids: readonly string[], state?: CollectionState): Promise<void> {
    if (ids.length === 0) return
    await againOnceMended(async () => {
      const [stored] = await this.parts.index.collections([this.name])
      if (stored)
        await this.parts.index.write(stored, { remove: ids, ...(state && { state: state as Json }) })
    })
  }

  /** Those that `keep` does not want are not removed yet: whoever finishes a pass does that with its last words. */
  async unwanted(
    keep: (page: readonly StoredDocument[]) => Promise<ReadonlySet<string>> | ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<string[]> {
    const unwanted: string[] = []
    for (let after: string | undefined; ; ) {
      throwIfAborted(signal)
      const page = await this.parts.index.read(this.name, { after, limit: PAGE })
      if (page.length === 0) return unwanted
      const kept = await keep(page)
      for (const { id } of page) if (!kept.has(id)) unwanted.push(id)
      after = page.at(-1)!.id
    }
  }

  search(request: SearchRequest, signal?: AbortSignal): Promise<Evidence[]> {
    return this.parts.index.search(this.name, request, signal)
  }

  drop(): Promise<void> {
    return this.parts.index.drop(this.name)
  }

  #spec(embedder: Embedder | undefined): CollectionSpec {
    const { id: embedderId, dimensions } = embedder ?? NO_EMBEDDER
    return { name: this.name, embedderId, dimensions, filterable: this.#filterable }
  }
}

export function isOutdated(draft: Draft, stored: StoredDocument | undefined, vectors: boolean): boolean {
  return stored?.textHash !== draft.textHash || (vectors && !stored.hasVector)
}

function isOf(embedder: Embedder, { embedderId, dimensions }: CollectionSpec): boolean {
  return embedder.id === embedderId && embedder.dimensions === dimensions
}

function documentOf(
  { id, searched, textHash, payload }: Draft,
  vector: Float32Array | undefined,
  embeddedBy: string,
): IndexDocument {
  return { id, text: searched, textHash, payload: payload(embeddedBy), ...(vector && { vector }) }
}
