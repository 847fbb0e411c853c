import { isRalphError, type RalphError } from '../errors.ts'
import { addIfEmbedded, type Embedded } from '../retrieval/draft.ts'
import type { VectorLender } from '../retrieval/parts.ts'
import type { SearchIndex } from '../search-index/search-index.ts'

/** Lends the vectors of old indexes to new ones that are filled in the usual way. A vector that is not found is made. */
export class VectorLenders {
  readonly #onLooked: (documents: number) => void
  /** Vectors that were taken over. */
  carried = 0
  /** Why an old index could not be read, if so. */
  problem: RalphError | undefined

  constructor(onLooked: (documents: number) => void) {
    this.#onLooked = onLooked
  }

  of(index: SearchIndex): VectorLender {
    return {
      lend: async (collection, embedderId, documents) => {
        const lent = new Map<string, Embedded>()
        const hashes = new Map(documents.map(({ id, textHash }) => [id, textHash]))
        for (const stored of await this.#stored(index, collection, embedderId, [...hashes.keys()]))
          if (stored.textHash === hashes.get(stored.id)) addIfEmbedded(lent, stored.id, stored)
        this.carried += lent.size
        this.#onLooked(documents.length)
        return lent
      },
    }
  }

  async #stored(index: SearchIndex, collection: string, embedderId: string, ids: readonly string[]) {
    if (this.problem) return []
    try {
      const info = await index.find(collection)
      return info?.embedderId === embedderId ? await index.read(collection, { ids, vectors: true }) : []
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      this.problem = error
      return []
    }
  }
}
