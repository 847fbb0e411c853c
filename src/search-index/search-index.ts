import type { Evidence, SearchRequest } from './query.ts'
import type { DocumentWords } from './terms.ts'

/**
 * Stores documents with their words and vectors in isolated collections, and finds them again. Never embeds, never
 * decides. A collection that does not exist reads as empty; the first write makes it.
 */
export interface SearchIndex {
  /** One of them, if it is there; may be as it was a moment ago. */
  find(name: string, signal?: AbortSignal): Promise<FoundCollection | undefined>
  /** Those that exist of these names, or all whose names begin so; by name, with how many documents they have. */
  collections(selection?: CollectionSelection, signal?: AbortSignal): Promise<CollectionInfo[]>
  /**
   * All documents of one call become visible together or not at all, same id replaces; the state is written last. Vectors
   * of another embedder than the collection's are refused as a conflict.
   */
  write(collection: CollectionSpec, change: CollectionChange, signal?: AbortSignal): Promise<void>
  /** Those of `ids` that are stored, in that order, or a page in an order that stays: pass the last id as `after`. */
  read(collection: string, selection: Selection, signal?: AbortSignal): Promise<StoredDocument[]>
  /** Candidates from meaning and from words, each with both kinds of evidence, unordered; `fuse` ranks them. */
  search(collection: string, request: SearchRequest, signal?: AbortSignal): Promise<Evidence[]>
  drop(collection: string): Promise<void>
  /** Whether it can be used. Thoroughly: all of it is read where damage could hide, and something written where that may be refused. */
  check(options?: {
    thorough?: boolean
    signal?: AbortSignal
  }): Promise<{ ok: boolean; detail: string; hint?: string }>
  /** Throws everything away, damaged or not, to be built again. Refused while another process uses it. */
  reset(): Promise<void>
  close(): Promise<void>
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Payload = { [key: string]: Json }

export interface CollectionSpec {
  name: string
  /** `Embedder.id`, or `NO_EMBEDDER`: vectors of two models are never mixed. */
  embedderId: string
  dimensions: number
  /** Top-level payload fields that `Filter` may name; more may be named later. */
  filterable: readonly string[]
  /** What their values are, where they are not texts: a server wants to know before the first one comes. */
  types?: { readonly [field: string]: FieldType }
  /** Of its documents, in terms, where they are mostly longer than some sentences: what is longer counts less by each word. */
  typicalLength?: number
}
export type FieldType = 'text' | 'number' | 'time' | 'flag'
export interface FoundCollection extends Omit<CollectionSpec, 'types' | 'typicalLength'> {
  /** A small value kept with the collection, e.g. how far a journal has been indexed. Gone with the collection. */
  state?: Json
}
export interface CollectionInfo extends FoundCollection {
  documents: number
}
export type CollectionSelection = readonly string[] | { prefix: string }
/** With `more` to come it need not be visible before that is. */
export type CollectionChange = {
  put?: readonly IndexDocument[]
  remove?: readonly string[]
  state?: Json
  more?: boolean
}

/**
 * `vector` is absent while the embedder is down: found by words until it is caught up. `detail`, only beside a vector: what
 * whoever ranks wants to know of a candidate beyond it, which the index does not look into.
 */
export type IndexDocument = DocumentWords & {
  id: string
  textHash: string
  vector?: Float32Array
  detail?: Uint8Array
  payload: Payload
}
/** `vector` and `detail` are there when vectors were asked for. */
export type StoredDocument = Omit<IndexDocument, keyof DocumentWords> & { hasVector: boolean }
export type Selection = ({ ids: readonly string[] } | { after?: string | undefined; limit: number }) & {
  vectors?: boolean
}
