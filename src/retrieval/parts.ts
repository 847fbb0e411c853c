import type { SearchIndex } from '../search-index/search-index.ts'
import type { Embedded } from './draft.ts'
import type { MeaningParts } from './meaning.ts'

export type { MeaningParts } from './meaning.ts'

/** What every memory that can be searched stands on. */
export interface RetrievalParts extends MeaningParts {
  index: SearchIndex
  /** Vectors that were made before are taken from there, not made again. */
  lender?: VectorLender | undefined
  /** How long whoever waits for an answer waits for what is new to be found by its words. */
  levelWithinMs?: number | undefined
}

export interface VectorLender {
  /** By id: the vectors that this embedder has made of the very same texts. */
  lend(
    collection: string,
    embedderId: string,
    documents: readonly { id: string; textHash: string }[],
  ): Promise<ReadonlyMap<string, Embedded>>
}
