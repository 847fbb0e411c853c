/**
 * Stores documents with their words and vectors in isolated collections, and finds them again. Never embeds, never
 * decides. A collection that does not exist reads as empty; the first write makes it.
 */
export interface SearchIndex {
  /** All of them, or those of `names` that exist, by name. */
  collections(names?: readonly string[]): Promise<CollectionInfo[]>
  /**
   * All documents of one call become visible together or not at all, same id replaces; the state is written last. Vectors
   * of another embedder than the collection's are refused as a conflict.
   */
  write(collection: CollectionSpec, change: CollectionChange, signal?: AbortSignal): Promise<void>
  /** Those of `ids` that are stored, in that order, or a page in an order that stays: pass the last id as `after`. */
  read(collection: string, selection: Selection): Promise<StoredDocument[]>
  /** Candidates from meaning and from words, each with both kinds of evidence, unordered; `fuse` ranks them. */
  search(collection: string, request: SearchRequest, signal?: AbortSignal): Promise<Evidence[]>
  drop(collection: string): Promise<void>
  /** Thoroughly: all of it is read, where damage could hide. */
  check(options?: { thorough?: boolean }): Promise<{ ok: boolean; detail: string; hint?: string }>
  /** Throws everything away, damaged or not, to be built again. Refused while another process uses it. */
  reset(): Promise<void>
  close(): Promise<void>
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Payload = { [key: string]: Json }

export interface CollectionSpec {
  name: string
  /** `Embedder.id`: vectors of two models are never mixed. */
  embedderId: string
  dimensions: number
  /** Top-level payload fields that `Filter` may name; more may be named later. */
  filterable: readonly string[]
}
export interface CollectionInfo extends CollectionSpec {
  documents: number
  /** A small value kept with the collection, e.g. how far a journal has been indexed. Gone with the collection. */
  state?: Json
}
export type CollectionChange = { put?: readonly IndexDocument[]; remove?: readonly string[]; state?: Json }

/** `vector` is absent while the embedder is down: found by words until it is caught up. */
export type IndexDocument = {
  id: string
  text: string
  textHash: string
  vector?: Float32Array
  payload: Payload
}
/** `vector` is there when it was asked for. */
export type StoredDocument = Omit<IndexDocument, 'text'> & { hasVector: boolean }
export type Selection = ({ ids: readonly string[] } | { after?: string | undefined; limit: number }) & {
  vectors?: boolean
}

/**
 * All conditions must hold. An array in the payload matches when any element does. Ranges include their ends;
 * those of strings are of ISO 8601 times in UTC.
 */
export type Filter = { [field: string]: Condition }
export type Condition =
  | { in: readonly (string | number | boolean)[] }
  | { notIn: readonly (string | number | boolean)[] }
  | { from?: string | number; to?: string | number }

/** Without a vector words alone are searched; `limit` is what is wanted after fusion: drivers gather more candidates. */
export type SearchRequest = { text: string; vector?: Float32Array; limit: number; filter?: Filter }

export interface Evidence {
  id: string
  payload: Payload
  /** Cosine with the query; absent when either side has no vector. */
  cosine?: number
  /** BM25 over the collection; 0 when no word is shared. */
  bm25: number
  /** Share of the query's IDF mass that the document's words cover, 0 to 1; of a long query, of its most telling words. */
  coverage: number
}
