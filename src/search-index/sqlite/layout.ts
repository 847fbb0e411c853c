import { asUint32 } from './bytes.ts'
import { requireSound } from './checksum.ts'
import { readChunks } from './chunk-rows.ts'
import { type ChunkEntry, HAS_VECTOR, looseEntries, type PackedCollection, REMOVED } from './chunks.ts'
import type { IndexDatabase } from './database.ts'

/** All documents of a collection in a row, so that a search can keep what it finds out in arrays. */
export interface Layout {
  size: number
  /** Position → number of the document, and what decides between equals. */
  documents: Uint32Array
  tieBreaks: Uint32Array
  /** Position → REMOVED, HAS_VECTOR. */
  flags: Uint8Array
  /** Position → 0 where the document was removed, else 1. */
  present: Uint8Array
  chunks: { number: number; buckets: number; start: number; size: number }[]
  loose: { start: number; entries: ChunkEntry[] }
  /** How many are not removed. */
  live: number
}

export function readLayout(db: IndexDatabase, collection: PackedCollection): Layout {
  const rows = readChunks(db, collection.number)
  const entries = looseEntries(db, collection.number)
  const live = rows.reduce((sum, row) => sum + row.live, entries.length)
  requireSound(live === collection.documents)
  const packed = rows.reduce((sum, { flags }) => sum + flags.length, 0)
  const size = packed + entries.length
  const layout: Layout = {
    size,
    documents: new Uint32Array(size),
    tieBreaks: new Uint32Array(size),
    flags: new Uint8Array(size),
    present: new Uint8Array(size),
    chunks: [],
    loose: { start: packed, entries },
    live,
  }
  let start = 0
  for (const { number, documents, tie_breaks, flags, buckets } of rows) {
    layout.documents.set(asUint32(documents), start)
    layout.tieBreaks.set(asUint32(tie_breaks), start)
    layout.flags.set(flags, start)
    layout.chunks.push({ number, buckets, start, size: flags.length })
    start += flags.length
  }
  for (const [at, { document, tieBreak, sketch }] of entries.entries()) {
    layout.documents[start + at] = document
    layout.tieBreaks[start + at] = tieBreak
    layout.flags[start + at] = sketch ? HAS_VECTOR : 0
  }
  for (let at = 0; at < size; at++) layout.present[at] = (layout.flags[at]! & REMOVED) ^ REMOVED
  return layout
}
