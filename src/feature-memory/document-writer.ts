import type { Embedder } from '../embedding/embedder.ts'
import { isRalphError } from '../errors.ts'
import type { Filter, IndexDocument, Payload, SearchIndex } from '../search-index/search-index.ts'
import { deterministicUuid, sha256 } from '../text/ids.ts'
import type { EmbeddingProvenance } from './payload.ts'

/** A document before its text is embedded. */
export interface Draft {
  id: string
  embedded: string
  searched: string
  payload: (provenance: EmbeddingProvenance) => Payload
  /** True when a stored document of this id with other text is an older version; else it is another record. */
  replaces?: boolean
}

export interface WriterOptions {
  index: SearchIndex
  collection: string
  /** Undefined while it is down: documents are stored for the words and get their vectors later. */
  embedder: Embedder | undefined
  onEmbedded: () => void
  onEmbedderDown: (error: unknown) => void
  /** True when all that belongs into the collection is added in this pass, so what is stored has no say in ids. */
  everything?: boolean
}

type Hashed = Draft & { hash: string }

const BATCH = 32

/** Writes drafts in batches, embedding only what the index does not have yet. */
export class DocumentWriter {
  readonly #options: WriterOptions
  #embedder: Embedder | undefined
  #waiting: Hashed[] = []
  /** Id → hash of everything that belongs into the collection as of this pass. */
  readonly #seen = new Map<string, string>()

  constructor(options: WriterOptions) {
    this.#options = options
    this.#embedder = options.embedder
  }

  /** True when some documents were stored without a vector. */
  get missedVectors(): boolean {
    return this.#embedder === undefined
  }

  async add(draft: Draft, signal?: AbortSignal): Promise<void> {
    this.#waiting.push({ ...draft, hash: sha256(draft.embedded) })
    if (this.#waiting.length >= BATCH) await this.flush(signal)
  }

  async flush(signal?: AbortSignal): Promise<void> {
    const { index, collection } = this.#options
    if (this.#waiting.length === 0) return
    const drafts = await this.#withOwnIds(this.#waiting)
    this.#waiting = []
    const known = await index.known(
      collection,
      drafts.map(({ id }) => id),
    )
    const changed = drafts.filter(({ id, hash }) => {
      const stored = known.get(id)
      return stored?.textHash !== hash || (!stored.hasVector && this.#embedder !== undefined)
    })
    if (changed.length === 0) return
    const vectors = await this.#embed(changed, signal)
    await index.upsert(
      collection,
      changed.map((draft, at) => this.#document(draft, vectors?.[at])),
      signal,
    )
  }

  /** Removes what was in the collection before this pass and no longer belongs there. */
  async removeOthers(filter: Filter): Promise<void> {
    const { index, collection } = this.#options
    for (let after: string | undefined; ; ) {
      const page = await index.scan(collection, { filter, limit: 500, ...(after && { after }) })
      if (page.length === 0) return
      await index.remove(
        collection,
        page.map(({ id }) => id).filter((id) => !this.#seen.has(id)),
      )
      after = page.at(-1)!.id
    }
  }

  /**
   * Merged branches can hold two records with the same number and task: the first keeps the id, the other gets one
   * from its text, so neither hides the other.
   */
  async #withOwnIds(drafts: readonly Hashed[]): Promise<Hashed[]> {
    const { index, collection } = this.#options
    const known = await index.known(
      collection,
      drafts.map(({ id }) => id),
    )
    return drafts.map((draft) => {
      const stored = draft.replaces || this.#options.everything ? undefined : known.get(draft.id)
      const owner = this.#seen.get(draft.id) ?? stored?.textHash
      const id =
        owner === undefined || owner === draft.hash ? draft.id : deterministicUuid(draft.id, draft.hash)
      this.#seen.set(id, draft.hash)
      return { ...draft, id }
    })
  }

  async #embed(drafts: readonly Hashed[], signal?: AbortSignal): Promise<Float32Array[] | undefined> {
    if (!this.#embedder) return undefined
    try {
      const texts = drafts.map(({ embedded }) => embedded)
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += this.#embedder.maxBatch) {
        vectors.push(
          ...(await this.#embedder.embed(texts.slice(at, at + this.#embedder.maxBatch), 'document', signal)),
        )
      }
      this.#options.onEmbedded()
      return vectors
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      this.#options.onEmbedderDown(error)
      this.#embedder = undefined // the rest of this pass goes on with words alone
      return undefined
    }
  }

  #document({ id, searched, hash, payload }: Hashed, vector: Float32Array | undefined): IndexDocument {
    const provenance = { embeddingModel: this.#embedder?.id ?? 'none', embeddingHash: hash }
    return { id, text: searched, textHash: hash, payload: payload(provenance), ...(vector && { vector }) }
  }
}
