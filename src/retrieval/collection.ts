import type { Embedder, TokenVectors } from '../embedding/embedder.ts'
import { throwIfAborted } from '../errors.ts'
import { type Evidence, NO_EMBEDDER, type SearchRequest } from '../search-index/query.ts'
import type {
  CollectionSpec,
  IndexDocument,
  Json,
  Payload,
  StoredDocument,
} from '../search-index/search-index.ts'
import { sectionOf } from './detail/sections.ts'
import { likenessByTokens, type TokenLikeness } from './detail/tokens.ts'
import { type Draft, draftWords, type Embedded } from './draft.ts'
import { embedDrafts } from './embed-drafts.ts'
import { Meaning } from './meaning.ts'
import { againOnceMended } from './mending.ts'
import type { RetrievalParts } from './parts.ts'
import { type CollectionState, parseState } from './state.ts'

/** The collection is built again as soon as there is an embedder. */
const WITHOUT_EMBEDDER = { id: NO_EMBEDDER, dimensions: 1 }
const PAGE = 500

/** What a collection is like when somebody wants to use it. */
export interface Fitted {
  state: CollectionState
  /** Why it is empty now, if it is not as it was left. */
  emptied?: string
  /** How many documents it had before. */
  formerly?: number
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
  /** Written with what was made of them, in their order; those without are found by words until they are embedded. */
  put?: readonly Draft[]
  embedded?: readonly (Embedded | undefined)[] | undefined
  remove?: readonly string[]
  state?: CollectionState
  /** Another change follows: this one need not be visible before that is. */
  more?: boolean
}

export interface CollectionOptions
  extends Pick<CollectionSpec, 'name' | 'filterable' | 'types' | 'typicalLength'> {
  /** Documents are also compared with a question token by token, where the embedder tells tokens. */
  tokens?: boolean
  /** Whose it is, kept with it where the name alone does not tell. */
  of?: string
}

/** `tokens` are the question's, to be compared with those of the candidates. */
export type CollectionRequest = SearchRequest & { tokens?: TokenVectors | undefined }

export interface CollectionEvidence extends Evidence {
  /** Token by token; absent where either side has none. */
  likeness?: TokenLikeness
}

/** The documents of one memory in the disposable index, fit for the embedder in use. */
export class Collection {
  readonly name: string
  readonly meaning: Meaning
  readonly parts: RetrievalParts
  /** Of its documents; see `CollectionSpec`. */
  readonly typicalLength: number | undefined
  readonly #options: CollectionOptions

  constructor(parts: RetrievalParts, options: CollectionOptions) {
    this.name = options.name
    this.typicalLength = options.typicalLength
    this.parts = parts
    this.meaning = new Meaning(parts)
    this.#options = options
  }

  /** Whether this embedder's documents get the sketches of their tokens, too. */
  keepsTokensOf(embedder: Embedder): boolean {
    return this.#options.tokens === true && embedder.embedTokens !== undefined
  }

  /** Vectors of another model are dropped, to be made again; without an embedder whatever is there will do. */
  async fit(embedder: Embedder | undefined, signal?: AbortSignal): Promise<Fitted> {
    const stored = await this.parts.index.find(this.name, signal)
    if (!stored) return { state: { sources: {} }, emptied: 'the index is new' }
    // Vectors that nobody can ask for at the moment are worth keeping: the embedder may be back any time.
    if (!embedder || isOf(embedder, stored)) return { state: parseState(stored.state) }
    const formerly = await this.size(signal)
    await this.drop()
    return { state: { sources: {} }, emptied: 'the embedding model changed', formerly }
  }

  async size(signal?: AbortSignal): Promise<number> {
    const [stored] = await this.parts.index.collections([this.name], signal)
    return stored?.documents ?? 0
  }

  /** Whether this embedder's vectors can be searched in it. */
  async fits(embedder: Embedder, signal?: AbortSignal): Promise<boolean> {
    const stored = await this.parts.index.find(this.name, signal)
    return !stored || isOf(embedder, stored)
  }

  /** A text without a telling token has no sketch, so it is made anew when it is looked at again, for next to nothing. */
  isWhole(made: Partial<Embedded> | undefined, embedder: Embedder): boolean {
    return !this.keepsTokensOf(embedder) || sectionOf(made?.detail, 'tokens') !== undefined
  }

  async known(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, StoredDocument>> {
    if (ids.length === 0) return new Map()
    const stored = await this.parts.index.read(this.name, { ids }, signal)
    return new Map(stored.map((document) => [document.id, document]))
  }

  /** What was made of these documents, with whose it is and of which text; of those that have a vector. */
  async vectorsOf(
    ids: readonly string[],
  ): Promise<Map<string, Embedded & { embedderId: string; textHash: string }>> {
    const stored = ids.length > 0 ? await this.parts.index.find(this.name) : undefined
    if (!stored) return new Map()
    const { embedderId } = stored
    const documents = await this.parts.index.read(this.name, { ids, vectors: true })
    return new Map(
      documents.flatMap(({ id, textHash, vector, detail }) =>
        vector ? [[id, { embedderId, textHash, vector, ...(detail && { detail }) }]] : [],
      ),
    )
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

  /** Where those of them stand in meaning that have a vector. */
  async vectors(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, Float32Array>> {
    const found = new Map<string, Float32Array>()
    for (let from = 0; from < ids.length; from += PAGE) {
      throwIfAborted(signal)
      const page = { ids: ids.slice(from, from + PAGE), vectors: true }
      for (const { id, vector } of await this.parts.index.read(this.name, page, signal))
        if (vector) found.set(id, vector)
    }
    return found
  }

  /** In the order of the drafts. */
  async embedded(
    drafts: readonly Draft[],
    embedder: Embedder,
    signal?: AbortSignal,
    onEmbedded?: (count: number) => void,
  ): Promise<Embedded[]> {
    const lent = await this.parts.lender?.lend(this.name, embedder.id, drafts)
    const isLent = ({ id }: Draft) => lent?.has(id) === true && this.isWhole(lent.get(id), embedder)
    const unknown = drafts.filter((draft) => !isLent(draft))
    const tokens = this.#options.tokens === true
    const made = await embedDrafts(embedder, unknown, { tokens, signal, onEmbedded })
    if (made.length > 0) {
      this.meaning.sayItWorks()
      await this.meaning.calibrate(embedder, 'document', signal)
    }
    let next = 0
    return drafts.map((draft) => (isLent(draft) ? lent!.get(draft.id)! : made[next++]!))
  }

  /** One change, seen as a whole; `embedder` is the one in use, also where words come first and vectors later. */
  async write(
    { put = [], embedded, remove = [], state, more = false }: DraftChange,
    embedder: Embedder | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    if (put.length === 0 && remove.length === 0 && state === undefined) return
    const embeddedBy = embedded && embedder ? embedder.id : NO_EMBEDDER
    const documents = put.map((draft, at) => documentOf(draft, embedded?.[at], embeddedBy))
    const change = { put: documents, remove, more, ...(state && { state: state as Json }) }
    const isKept = !embedder && documents.some(({ vector }) => vector !== undefined)
    // Vectors that are kept while their embedder is down are still those of the collection.
    const stored = isKept ? await this.parts.index.find(this.name, signal) : undefined
    const identity = stored ? { id: stored.embedderId, dimensions: stored.dimensions } : embedder
    await this.parts.index.write(this.#spec(identity), change, signal)
  }

  async state(): Promise<CollectionState> {
    return parseState((await this.parts.index.find(this.name))?.state)
  }

  /** As it is now, with one source further on: others may have moved theirs meanwhile. */
  async stateWith(source: string, cursor: Json, words_only = false): Promise<CollectionState> {
    const state = await this.state()
    const { of } = this.#options
    return { ...state, ...(of && { of }), sources: { ...state.sources, [source]: { cursor, words_only } } }
  }

  async remove(ids: readonly string[], state?: CollectionState): Promise<void> {
    if (ids.length === 0) return
    await againOnceMended(async () => {
      const stored = await this.parts.index.find(this.name)
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
      const page = await this.parts.index.read(this.name, { after, limit: PAGE }, signal)
      if (page.length === 0) return unwanted
      const kept = await keep(page)
      for (const { id } of page) if (!kept.has(id)) unwanted.push(id)
      after = page.at(-1)!.id
    }
  }

  async search(
    { tokens, ...request }: CollectionRequest,
    signal?: AbortSignal,
  ): Promise<CollectionEvidence[]> {
    const { index } = this.parts
    if (!this.#options.tokens || !tokens) return index.search(this.name, request, signal)
    const found = await index.search(this.name, { ...request, details: true }, signal)
    const sketches = found.map(({ detail }) => sectionOf(detail, 'tokens'))
    const likenesses = likenessByTokens(tokens, sketches)
    return found.map(({ detail: _, ...evidence }, at) => {
      const likeness = likenesses[at]
      return likeness === undefined ? evidence : { ...evidence, likeness }
    })
  }

  drop(): Promise<void> {
    return this.parts.index.drop(this.name)
  }

  #spec(embedder: Pick<Embedder, 'id' | 'dimensions'> | undefined): CollectionSpec {
    const { id: embedderId, dimensions } = embedder ?? WITHOUT_EMBEDDER
    const { name, typicalLength } = this
    const { filterable, types = {} } = this.#options
    return {
      ...{ name, embedderId, dimensions, filterable, types },
      ...(typicalLength !== undefined && { typicalLength }),
    }
  }
}

function isOf(embedder: Embedder, { embedderId, dimensions }: CollectionSpec): boolean {
  return embedder.id === embedderId && embedder.dimensions === dimensions
}

function documentOf(draft: Draft, embedded: Embedded | undefined, embeddedBy: string): IndexDocument {
  const { id, textHash, revision, payload } = draft
  const said = { ...payload(embeddedBy), ...(revision !== undefined && { revision }) }
  return { id, ...draftWords(draft), textHash, payload: said, ...embedded }
}
