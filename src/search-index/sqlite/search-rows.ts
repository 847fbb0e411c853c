import type { Filter } from '../query.ts'
import { readBucketOf, readSketches } from './chunk-rows.ts'
import type { PackedCollection } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import { type DocumentContent, detailsOf, documentAt, vectorsOf } from './document-row.ts'
import { readFacets } from './facet-rows.ts'
import type { Facets } from './facets.ts'
import { frozen } from './frozen.ts'
import type { KnownRows } from './known-rows.ts'
import { type Layout, readLayout } from './layout.ts'
import { Passing } from './passing.ts'
import { bucketOf, listIn } from './postings.ts'
import { type RoundedVector, unpackVector } from './rounded-vector.ts'

/** All that a search reads, each row checked when it is first read from the file in its present state. */
export class SearchRows {
  readonly #db: IndexDatabase
  readonly #known: KnownRows

  constructor(db: IndexDatabase) {
    this.#db = db
    this.#known = db.known()
  }

  layout(collection: PackedCollection): Layout {
    const read = () => readLayout(this.#db, collection)
    return this.#known.get('layout', collection.number, read, bytesOfLayout)
  }

  /** Searches come one after the other: each has the same room to itself, which is emptied first. */
  room({ number }: PackedCollection, { size }: Layout): Room {
    const room = this.#known.get(
      'room',
      number,
      () => newRoom(size),
      () => size * BYTES_OF_ROOM,
    )
    for (const scores of [room.bm25, room.covered, room.common, room.rough]) scores.fill(0)
    return room
  }

  sketches(chunk: number): Uint8Array {
    return this.#known.get('sketches', chunk, () => readSketches(this.#db, chunk), lengthOf)
  }

  /** Undefined when no document of the chunk has the term. */
  postings({ number, buckets }: { number: number; buckets: number }, term: number): Uint8Array | undefined {
    const at = bucketOf(term, buckets)
    const read = () => readBucketOf(this.#db, number, at)
    return listIn(this.#known.get('postings', number * MOST_BUCKETS + at, read, lengthOf), term)
  }

  facets(chunk: number, field: string): Facets | undefined {
    const read = () => readFacets(this.#db, chunk, field) ?? null
    return this.#known.get('facets', `${chunk} ${field}`, read, bytesOfFacets) ?? undefined
  }

  /** What passes a filter is found out once: most searches come with the same. */
  passing({ number }: PackedCollection, layout: Layout, filter: Filter): Passing {
    const read = () => new Passing(this, layout, filter)
    return this.#known.get('passing', `${number} ${JSON.stringify(filter)}`, read, () => layout.size)
  }

  /** The same for everybody who finds it, so nobody may change it. */
  document(number: number, tieBreak: number): DocumentContent {
    const read = () => frozen(documentAt(this.#db, number, tieBreak))
    return this.#known.get('document', number, read, ({ bytes }) => bytes * PARSED)
  }

  /** In the order of the documents. One is missing when its bytes cannot be a vector any more. */
  vectors(documents: readonly number[], dimensions: number): (RoundedVector | undefined)[] {
    const vectors = documents.map((document) => this.#known.find<RoundedVector>('vector', document))
    const unread = documents.filter((_, at) => vectors[at] === undefined)
    if (unread.length === 0) return vectors
    const read = vectorsOf(this.#db, unread)
    return vectors.map((known, at) => {
      if (known) return known
      const vector = unpackVector(read.get(documents[at]!), dimensions)
      if (vector) this.#known.keep('vector', documents[at]!, vector, vector.steps.byteLength)
      return vector
    })
  }

  /** Those that have one, of documents whose vectors have been read. */
  details(documents: readonly number[]): Map<number, Uint8Array> {
    const details = new Map<number, Uint8Array>()
    const unread: number[] = []
    for (const document of documents) {
      const known = this.#known.find<Uint8Array | null>('detail', document)
      if (known) details.set(document, known)
      else if (known === undefined) unread.push(document)
    }
    const read = detailsOf(this.#db, unread)
    for (const document of unread) {
      const detail = read.get(document)
      if (detail) details.set(document, detail)
      this.#known.keep('detail', document, detail ?? null, detail?.length ?? 0)
    }
    return details
  }
}

/** More than one chunk ever has. */
const MOST_BUCKETS = 2 ** 24
const BYTES_OF_ROOM = 29
/** How many times as much memory JSON takes once it is read. */
const PARSED = 3

/** What one search finds out about each document, by its position. */
export interface Room {
  bm25: Float32Array
  covered: Float32Array
  /** What common words bring to its BM25. */
  common: Float32Array
  rough: Float32Array
  /** Only of those that were looked at. */
  cosines: Float64Array
  /** Of the documents that have the word at hand. */
  positions: Uint32Array
  weights: Uint8Array
}

function newRoom(size: number): Room {
  return {
    bm25: new Float32Array(size),
    covered: new Float32Array(size),
    common: new Float32Array(size),
    rough: new Float32Array(size),
    cosines: new Float64Array(size),
    positions: new Uint32Array(size),
    weights: new Uint8Array(size),
  }
}

function bytesOfLayout({ size, loose }: Layout): number {
  return size * 10 + loose.entries.length * 1_000
}

function bytesOfFacets(facets: Facets | null): number {
  return facets ? facets.slots.length * 3 : 0
}

function lengthOf({ length }: Uint8Array): number {
  return length
}
