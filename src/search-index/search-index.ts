/**
 * Stores documents with their words and vectors in isolated collections, and finds them again. Never embeds, never
 * decides. A collection that does not exist reads as empty; writing into it is an error.
 */
export interface SearchIndex {
  /** Creates the collection, or says that what is there was embedded by another model. */
  ensureCollection(spec: CollectionSpec, signal?: AbortSignal): Promise<EnsureResult>
  dropCollection(name: string): Promise<void>
  /** All of them, or those of `names` that exist, by name. */
  collections(names?: readonly string[]): Promise<CollectionInfo[]>
  /**
   * Makes the collection if it is not there, and changes it. All documents of one call become visible together or not
   * at all, same id replaces; the state is written last. Vectors of another embedder than the collection's are refused.
   */
  write(collection: CollectionSpec, change: CollectionChange, signal?: AbortSignal): Promise<void>
  /** Those of `ids` that are stored, or a page in an order that stays: pass the last id as `after`. */
  read(collection: string, selection: Selection): Promise<ReadDocument[]>
  /** All documents of one call become visible together or not at all. Same id replaces. */
  upsert(collection: string, documents: readonly IndexDocument[], signal?: AbortSignal): Promise<void>
  remove(collection: string, ids: readonly string[]): Promise<void>
  /** For those of `ids` that are stored: the hash of their embedded text, and whether they have a vector. */
  known(collection: string, ids: readonly string[]): Promise<Map<string, KnownDocument>>
  /** The vectors of those of `ids` that this embedder has made, to be carried to another index. */
  vectors(collection: string, embedderId: string, ids: readonly string[]): Promise<StoredVector[]>
  /** Candidates from meaning and from words, each with both kinds of evidence, unordered; `fuse` ranks them. */
  search(collection: string, request: SearchRequest, signal?: AbortSignal): Promise<Evidence[]>
  get(collection: string, ids: readonly string[]): Promise<StoredDocument[]>
  /** Documents page by page, in an order that stays: pass the last id as `after`. */
  scan(
    collection: string,
    page: { filter?: Filter; after?: string; limit: number },
  ): Promise<StoredDocument[]>
  count(collection: string, filter?: Filter): Promise<number>
  /** A small value kept with the collection, e.g. how far a journal has been indexed. Gone with the collection. */
  readState(collection: string): Promise<Json | undefined>
  writeState(collection: string, state: Json): Promise<void>
  check(signal?: AbortSignal): Promise<{ ok: boolean; detail: string; hint?: string }>
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
  /** Top-level payload fields that `Filter` may name. */
  filterable: readonly string[]
}
export type EnsureResult = 'created' | 'ready' | 'other_embedder'
export interface CollectionInfo extends CollectionSpec {
  documents: number
  /** A small value kept with the collection, e.g. how far a journal has been indexed. Gone with the collection. */
  state?: Json
}
export interface CollectionChange {
  put?: readonly IndexDocument[]
  /** Ids that are not there do not matter. */
  remove?: readonly string[]
  state?: Json
}
export type Selection = ({ ids: readonly string[] } | { after?: string | undefined; limit: number }) & {
  /** Also the vectors themselves. */
  vectors?: boolean
}
export interface ReadDocument {
  id: string
  payload: Payload
  textHash: string
  hasVector: boolean
  vector?: Float32Array
}

export interface IndexDocument {
  /** A UUID. */
  id: string
  /** The text whose words are searched; usually also the text that was embedded. */
  text: string
  /** SHA-256 of the embedded text. */
  textHash: string
  /** Absent while the embedder is down: found by words until it is caught up. */
  vector?: Float32Array
  payload: Payload
}
export interface StoredDocument {
  id: string
  payload: Payload
}
export interface KnownDocument {
  textHash: string
  hasVector: boolean
}
export interface StoredVector {
  id: string
  textHash: string
  vector: Float32Array
}

/**
 * All conditions must hold. An array in the payload matches when any element does. Ranges include their ends;
 * those of strings are of ISO 8601 times in UTC.
 */
export interface Filter {
  [field: string]: Condition
}
export type Condition =
  | { in: readonly (string | number | boolean)[] }
  | { notIn: readonly (string | number | boolean)[] }
  | { from?: string | number; to?: string | number }

export interface SearchRequest {
  text: string
  /** Absent while the embedder is down: words alone are searched. */
  vector?: Float32Array
  /** How many results the caller wants after fusion; drivers gather a few times as many candidates. */
  limit: number
  filter?: Filter
}

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
