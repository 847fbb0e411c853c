import type { Payload } from './search-index.ts'

/** What is asked of a search index, and what it answers with. */

/** Stands in for the embedder's identity in collections that are made while there is none. */
export const NO_EMBEDDER = 'none'

/**
 * All conditions must hold. An array in the payload matches when any element does. Ranges include their ends;
 * those of strings are of ISO 8601 times in UTC.
 */
export type Filter = { [field: string]: Condition }
export type Condition =
  | { in: readonly (string | number | boolean)[] }
  | { notIn: readonly (string | number | boolean)[] }
  | { from?: string | number; to?: string | number }

/**
 * Without a vector words alone are searched; `limit` is what is wanted after fusion: drivers gather more candidates. With
 * `embedderId`, whose the vector is: in a collection of another embedder nothing is found. With `details`, each candidate
 * comes with its own.
 */
export type SearchRequest = {
  text: string
  /** Its first line says what it is about: where it is long, that counts more. */
  titled?: boolean
  vector?: Float32Array
  embedderId?: string
  limit: number
  filter?: Filter
  details?: boolean
}

export interface Evidence {
  id: string
  /** The same for everybody who finds it: it cannot be changed. */
  payload: Payload
  /** Cosine with the query; absent when either side has no vector. */
  cosine?: number
  /** BM25 over the collection; 0 when no word is shared. */
  bm25: number
  /** Share of the query's IDF mass that the document's words cover, 0 to 1; of a long query, of its most telling words. */
  coverage: number
  /** BM25 as a share of what the query's most telling words bring to a document of typical length; may exceed 1. */
  wordShare: number
  /** How much of that is due to common words of the language. */
  commonShare: number
  /** Of how many documents in the collection: among many, chance alone comes closer to a question. */
  among: number
  detail?: Uint8Array
}
