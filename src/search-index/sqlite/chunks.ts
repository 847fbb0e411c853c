import { sketchBytes } from '../sketch.ts'
import type { DocumentTerms } from '../terms.ts'
import { asBytes, asUint32 } from './bytes.ts'
import { checkRow, checksumOf, isAscending, requireSound } from './checksum.ts'
import { allPostings, chunkChecksum, readChunk, readSketches, writeBuckets } from './chunk-rows.ts'
import type { IndexDatabase } from './database.ts'
import { putFacets, readFacets, writeFacets } from './facet-rows.ts'
import { withoutSlots } from './facets.ts'
import { MOST_SLOTS, packBuckets, packPostings, readPostings } from './postings.ts'

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
  /** What its chunks and its loose documents come to: one that is lost is missed. */
  documents: number
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
    entries.push(...unpack(db, collection, number))
    removeChunk(db, number)
  }
  db.sql('DELETE FROM loose WHERE collection = ?').run(collection.number)
  entries.sort((a, b) => a.document - b.document)
  for (let at = 0; at < entries.length; at += LARGEST_CHUNK) {
    writeChunk(db, collection, entries.slice(at, at + LARGEST_CHUNK))
  }
}

export function looseEntries(db: IndexDatabase, collection: number): ChunkEntry[] {
  const columns = 'document, tie_break, hashes, weights, sketch, checksum'
  const rows = db
    .sql(`SELECT ${columns} FROM loose WHERE collection = ? ORDER BY document`)
    .all(collection) as {
    document: number
    tie_break: number
    hashes: Uint8Array
    weights: Uint8Array
    sketch: Uint8Array | null
    checksum: number
  }[]
  requireSound(isAscending(rows.map(({ document }) => document)))
  return rows.map(({ document, tie_break, hashes, weights, sketch, checksum }) => {
    checkRow(checksum, collection, document, tie_break, hashes, weights, sketch)
    return {
      document,
      tieBreak: tie_break,
      terms: { hashes: asUint32(hashes), weights },
      sketch: sketch ?? undefined,
    }
  })
}

export function addLoose(db: IndexDatabase, collection: number, entry: ChunkEntry): void {
  const { document, tieBreak, terms, sketch } = entry
  const hashes = asBytes(terms.hashes)
  db.sql('INSERT INTO loose VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    collection,
    document,
    tieBreak,
    hashes,
    terms.weights,
    sketch ?? null,
    checksumOf(collection, document, tieBreak, hashes, terms.weights, sketch),
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
    else for (const { number } of group) requireSound(loose.run(collection.number, number).changes === 1)
  }
}

function removeFromChunk(
  db: IndexDatabase,
  collection: PackedCollection,
  chunk: number,
  numbers: Set<number>,
): void {
  const row = readChunk(db, collection.number, chunk)
  const slots = new Set<number>()
  for (const [slot, document] of asUint32(row.documents).entries()) {
    if (!numbers.has(document)) continue
    slots.add(slot)
    row.flags[slot]! |= REMOVED
  }
  requireSound(slots.size === numbers.size)
  const live = row.live - slots.size
  const checksum = chunkChecksum({ ...row, live })
  db.sql('UPDATE chunks SET live = ?, flags = ?, checksum = ? WHERE number = ?').run(
    live,
    row.flags,
    checksum,
    chunk,
  )
  // Mostly holes: what is left moves closer together.
  if (live * 2 < row.flags.length) repack(db, collection, chunk)
  else removeFromFacets(db, chunk, slots)
}

function removeFromFacets(db: IndexDatabase, chunk: number, slots: ReadonlySet<number>): void {
  for (const { field } of db.sql('SELECT field FROM facets WHERE chunk = ?').all(chunk)) {
    const facets = readFacets(db, chunk, field as string)
    if (facets) putFacets(db, chunk, field as string, withoutSlots(facets, slots))
  }
}

export function removeChunk(db: IndexDatabase, chunk: number): void {
  for (const sql of ['postings WHERE chunk', 'facets WHERE chunk', 'chunks WHERE number']) {
    db.sql(`DELETE FROM ${sql} = ?`).run(chunk)
  }
}

function repack(db: IndexDatabase, collection: PackedCollection, chunk: number): void {
  const entries = unpack(db, collection, chunk)
  removeChunk(db, chunk)
  if (entries.length > 0) writeChunk(db, collection, entries)
}

function writeChunk(db: IndexDatabase, collection: PackedCollection, entries: readonly ChunkEntry[]): void {
  const bytes = sketchBytes(collection.dimensions)
  const sketches = new Uint8Array(entries.length * bytes)
  for (const [slot, { sketch }] of entries.entries()) if (sketch) sketches.set(sketch, slot * bytes)
  const buckets = packBuckets([...packPostings(entries.map(({ terms }) => terms))])
  const row = {
    collection: collection.number,
    live: entries.length,
    documents: asBytes(Uint32Array.from(entries, ({ document }) => document)),
    tie_breaks: asBytes(Uint32Array.from(entries, ({ tieBreak }) => tieBreak)),
    flags: Uint8Array.from(entries, ({ sketch }) => (sketch ? HAS_VECTOR : 0)),
    buckets: buckets.length,
  }
  const { lastInsertRowid } = db
    .sql(
      `INSERT INTO chunks
         (collection, live, documents, tie_breaks, flags, sketches, buckets, checksum, sketches_checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.collection,
      row.live,
      row.documents,
      row.tie_breaks,
      row.flags,
      sketches,
      row.buckets,
      chunkChecksum(row),
      checksumOf(sketches),
    )
  const chunk = Number(lastInsertRowid)
  writeBuckets(db, chunk, buckets)
  writeFacets(db, collection, chunk, entries)
  const mark = db.sql('UPDATE documents SET chunk = ? WHERE number = ?')
  for (const { document } of entries) mark.run(chunk, document)
}

function unpack(
  db: IndexDatabase,
  { number, dimensions }: Pick<PackedCollection, 'number' | 'dimensions'>,
  chunk: number,
): ChunkEntry[] {
  const row = readChunk(db, number, chunk)
  const sketches = readSketches(db, chunk)
  const documents = asUint32(row.documents)
  const tieBreaks = asUint32(row.tie_breaks)
  const hashes = Array.from(documents, (): number[] => [])
  const weights = Array.from(documents, (): number[] => [])
  for (const [term, postings] of allPostings(db, row)) {
    readPostings(postings, (slot, weight) => {
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
      sketch: hasVector ? sketches.slice(slot * bytes, (slot + 1) * bytes) : undefined,
    }
  })
  return all.filter((_, slot) => !(row.flags[slot]! & REMOVED))
}
