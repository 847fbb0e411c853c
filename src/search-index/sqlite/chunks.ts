import type { Payload } from '../search-index.ts'
import type { DocumentTerms } from '../terms.ts'
import type { IndexDatabase } from './database.ts'
import { type Facets, FacetsWriter, withoutSlots } from './facets.ts'
import { MOST_SLOTS, packPostings, readPostings } from './postings.ts'
import { sketchBytes } from './sketch.ts'

/** What a document is found by, without the document. */
export interface ChunkEntry {
  document: number
  /** Decides between equals, the same after a rebuild: a hash of the id. */
  tieBreak: number
  terms: DocumentTerms
  /** Undefined while it has no vector. */
  sketch: Uint8Array | undefined
}

export interface PackedCollection {
  number: number
  embedderId: string
  dimensions: number
  filterable: string[]
}

/** Bits of a chunk's `flags`, one byte per document. */
export const REMOVED = 1
export const HAS_VECTOR = 2

/** A search reads loose documents one by one: enough to make packing rare, few enough to make reading quick. */
const LOOSE_LIMIT = 256
const LARGEST_CHUNK = MOST_SLOTS

/**
 * Packs the loose documents once there are many, together with chunks that are no larger: so the number of chunks
 * grows with the logarithm of the documents, and each document is packed again a handful of times in its life.
 */
export function packLoose(db: IndexDatabase, collection: PackedCollection): void {
  const loose = db.sql('SELECT count(*) AS loose FROM loose WHERE collection = ?').get(collection.number)
  if (Number(loose!['loose']) < LOOSE_LIMIT) return
  const entries = looseEntries(db, collection.number)
  const chunks = db.sql('SELECT number, live FROM chunks WHERE collection = ? ORDER BY live, number')
  for (const { number, live } of chunks.all(collection.number) as { number: number; live: number }[]) {
    if (live > entries.length || entries.length + live > LARGEST_CHUNK) break
    entries.push(...unpack(db, number, collection.dimensions))
    removeChunk(db, number)
  }
  db.sql('DELETE FROM loose WHERE collection = ?').run(collection.number)
  entries.sort((a, b) => a.document - b.document)
  for (let at = 0; at < entries.length; at += LARGEST_CHUNK) {
    writeChunk(db, collection, entries.slice(at, at + LARGEST_CHUNK))
  }
}

export function looseEntries(db: IndexDatabase, collection: number): ChunkEntry[] {
  const rows = db
    .sql('SELECT document, tie_break, hashes, weights, sketch FROM loose WHERE collection = ?')
    .all(collection) as {
    document: number
    tie_break: number
    hashes: Uint8Array
    weights: Uint8Array
    sketch: Uint8Array | null
  }[]
  return rows.map(({ document, tie_break, hashes, weights, sketch }) => ({
    document,
    tieBreak: tie_break,
    terms: { hashes: asUint32(hashes), weights },
    sketch: sketch ?? undefined,
  }))
}

export function addLoose(db: IndexDatabase, collection: number, entry: ChunkEntry): void {
  const { document, tieBreak, terms, sketch } = entry
  db.sql('INSERT INTO loose VALUES (?, ?, ?, ?, ?, ?)').run(
    collection,
    document,
    tieBreak,
    asBytes(terms.hashes),
    terms.weights,
    sketch ?? null,
  )
}

/** Takes documents out of what is searched. */
export function removeEntries(
  db: IndexDatabase,
  collection: PackedCollection,
  documents: readonly { number: number; chunk: number | null }[],
): void {
  const loose = db.sql('DELETE FROM loose WHERE collection = ? AND document = ?')
  for (const [chunk, group] of Map.groupBy(documents, (one) => one.chunk)) {
    if (chunk !== null) removeFromChunk(db, collection, chunk, new Set(group.map(({ number }) => number)))
    else for (const { number } of group) loose.run(collection.number, number)
  }
}

function removeFromChunk(
  db: IndexDatabase,
  collection: PackedCollection,
  chunk: number,
  numbers: Set<number>,
): void {
  const row = db.sql('SELECT live, documents, flags FROM chunks WHERE number = ?').get(chunk) as {
    live: number
    documents: Uint8Array
    flags: Uint8Array
  }
  const slots = new Set<number>()
  for (const [slot, document] of asUint32(row.documents).entries()) {
    if (!numbers.has(document)) continue
    slots.add(slot)
    row.flags[slot]! |= REMOVED
  }
  const live = row.live - slots.size
  db.sql('UPDATE chunks SET live = ?, flags = ? WHERE number = ?').run(live, row.flags, chunk)
  // Mostly holes: what is left moves closer together.
  if (live * 2 < row.flags.length) repack(db, collection, chunk)
  else removeFromFacets(db, chunk, slots)
}

function removeFromFacets(db: IndexDatabase, chunk: number, slots: ReadonlySet<number>): void {
  const update = db.sql(
    'UPDATE facets SET lowest = ?, highest = ?, field_values = ?, slots = ? WHERE chunk = ? AND field = ?',
  )
  const rows = db
    .sql('SELECT field, lowest, highest, field_values AS "values", slots FROM facets WHERE chunk = ?')
    .all(chunk)
  for (const row of rows as unknown as (Facets & { field: string })[]) {
    const left = withoutSlots(row, slots)
    update.run(left.lowest, left.highest, left.values, left.slots, chunk, row.field)
  }
}

export function removeChunk(db: IndexDatabase, chunk: number): void {
  for (const sql of ['postings WHERE chunk', 'facets WHERE chunk', 'chunks WHERE number']) {
    db.sql(`DELETE FROM ${sql} = ?`).run(chunk)
  }
}

function repack(db: IndexDatabase, collection: PackedCollection, chunk: number): void {
  const entries = unpack(db, chunk, collection.dimensions)
  removeChunk(db, chunk)
  if (entries.length > 0) writeChunk(db, collection, entries)
}

function writeChunk(db: IndexDatabase, collection: PackedCollection, entries: readonly ChunkEntry[]): void {
  const bytes = sketchBytes(collection.dimensions)
  const sketches = new Uint8Array(entries.length * bytes)
  for (const [slot, { sketch }] of entries.entries()) if (sketch) sketches.set(sketch, slot * bytes)
  const { lastInsertRowid } = db
    .sql(
      'INSERT INTO chunks (collection, live, documents, tie_breaks, flags, sketches) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(
      collection.number,
      entries.length,
      asBytes(Uint32Array.from(entries, ({ document }) => document)),
      asBytes(Uint32Array.from(entries, ({ tieBreak }) => tieBreak)),
      Uint8Array.from(entries, ({ sketch }) => (sketch ? HAS_VECTOR : 0)),
      sketches,
    )
  const chunk = Number(lastInsertRowid)
  const insert = db.sql('INSERT INTO postings VALUES (?, ?, ?)')
  for (const [term, postings] of packPostings(entries.map(({ terms }) => terms)))
    insert.run(chunk, term, postings)
  writeFacets(db, collection, chunk, entries)
  const mark = db.sql('UPDATE documents SET chunk = ? WHERE number = ?')
  for (const { document } of entries) mark.run(chunk, document)
}

function writeFacets(
  db: IndexDatabase,
  collection: PackedCollection,
  chunk: number,
  entries: readonly ChunkEntry[],
): void {
  const columns = collection.filterable.map((field) => [field, new FacetsWriter()] as const)
  const read = db.sql('SELECT payload FROM documents WHERE number = ?')
  for (const [slot, { document }] of entries.entries()) {
    const payload = JSON.parse(read.get(document)!['payload'] as string) as Payload
    for (const [field, column] of columns) column.add(slot, payload[field])
  }
  const insert = db.sql('INSERT INTO facets VALUES (?, ?, ?, ?, ?, ?)')
  for (const [field, column] of columns) {
    const { lowest, highest, values, slots } = column.facets()
    insert.run(chunk, field, lowest, highest, slots, values)
  }
}

function unpack(db: IndexDatabase, chunk: number, dimensions: number): ChunkEntry[] {
  const row = db
    .sql('SELECT documents, tie_breaks, flags, sketches FROM chunks WHERE number = ?')
    .get(chunk) as { [column in 'documents' | 'tie_breaks' | 'flags' | 'sketches']: Uint8Array }
  const documents = asUint32(row.documents)
  const tieBreaks = asUint32(row.tie_breaks)
  const hashes = Array.from(documents, (): number[] => [])
  const weights = Array.from(documents, (): number[] => [])
  const postings = db.sql('SELECT term, entries FROM postings WHERE chunk = ? ORDER BY term')
  for (const { term, entries } of postings.iterate(chunk) as Iterable<{
    term: number
    entries: Uint8Array
  }>) {
    readPostings(entries, (slot, weight) => {
      hashes[slot]!.push(term)
      weights[slot]!.push(weight)
    })
  }
  const bytes = sketchBytes(dimensions)
  const all = Array.from(documents, (document, slot): ChunkEntry => {
    const hasVector = row.flags[slot]! & HAS_VECTOR
    return {
      document,
      tieBreak: tieBreaks[slot]!,
      terms: { hashes: Uint32Array.from(hashes[slot]!), weights: Uint8Array.from(weights[slot]!) },
      sketch: hasVector ? row.sketches.slice(slot * bytes, (slot + 1) * bytes) : undefined,
    }
  })
  return all.filter((_, slot) => !(row.flags[slot]! & REMOVED))
}

export function asBytes(numbers: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** SQLite's blobs come in buffers of their own, so they are aligned. */
export function asUint32(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}
