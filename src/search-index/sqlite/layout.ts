import { matchesFilter } from '../filter.ts'
import type { Condition, Filter, Payload } from '../search-index.ts'
import {
  asUint32,
  type ChunkEntry,
  HAS_VECTOR,
  looseEntries,
  type PackedCollection,
  REMOVED,
} from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import { type Facets, passingSlots } from './facets.ts'

/** All documents of a collection in a row, so that a search can keep what it finds out in arrays. */
export interface Layout {
  size: number
  /** Position → number of the document, and what decides between equals. */
  documents: Uint32Array
  tieBreaks: Uint32Array
  /** Position → REMOVED, HAS_VECTOR. */
  flags: Uint8Array
  chunks: { number: number; start: number; size: number }[]
  loose: { start: number; entries: ChunkEntry[] }
  /** How many are not removed. */
  live: number
}

export function readLayout(db: IndexDatabase, collection: PackedCollection): Layout {
  const rows = db
    .sql('SELECT number, live, documents, tie_breaks, flags FROM chunks WHERE collection = ? ORDER BY number')
    .all(collection.number) as {
    number: number
    live: number
    documents: Uint8Array
    tie_breaks: Uint8Array
    flags: Uint8Array
  }[]
  const entries = looseEntries(db, collection.number)
  const packed = rows.reduce((sum, { flags }) => sum + flags.length, 0)
  const size = packed + entries.length
  const layout: Layout = {
    size,
    documents: new Uint32Array(size),
    tieBreaks: new Uint32Array(size),
    flags: new Uint8Array(size),
    chunks: [],
    loose: { start: packed, entries },
    live: rows.reduce((sum, { live }) => sum + live, entries.length),
  }
  let start = 0
  for (const { number, documents, tie_breaks, flags } of rows) {
    layout.documents.set(asUint32(documents), start)
    layout.tieBreaks.set(asUint32(tie_breaks), start)
    layout.flags.set(flags, start)
    layout.chunks.push({ number, start, size: flags.length })
    start += flags.length
  }
  for (const [at, { document, tieBreak, sketch }] of entries.entries()) {
    layout.documents[start + at] = document
    layout.tieBreaks[start + at] = tieBreak
    layout.flags[start + at] = sketch ? HAS_VECTOR : 0
  }
  return layout
}

/** Position → 1 where the document is there and passes the filter. */
export function passing(db: IndexDatabase, layout: Layout, filter: Filter): Uint8Array {
  const result = new Uint8Array(layout.size)
  for (let position = 0; position < layout.size; position++) {
    result[position] = (layout.flags[position]! & REMOVED) ^ REMOVED
  }
  if (Object.keys(filter).length === 0) return result
  for (const chunk of layout.chunks) {
    const unpacked: Filter = {}
    for (const [field, condition] of Object.entries(filter)) {
      const facets = readFacets(db, chunk.number, field)
      if (facets) keepByFacets(result, chunk, facets, condition)
      else unpacked[field] = condition
    }
    if (Object.keys(unpacked).length > 0) keepByPayload(db, layout, result, chunk, unpacked)
  }
  const { start, entries } = layout.loose
  keepByPayload(db, layout, result, { start, size: entries.length }, filter)
  return result
}

interface Range {
  start: number
  size: number
}

/** Undefined when the chunk was packed before the field became filterable. */
function readFacets(db: IndexDatabase, chunk: number, field: string): Facets | undefined {
  const row = db
    .sql('SELECT lowest, highest, slots FROM facets WHERE chunk = ? AND field = ?')
    .get(chunk, field)
  if (!row) return undefined
  return {
    ...(row as unknown as Omit<Facets, 'values'>),
    // Thousands of times, say: read only where the rest does not decide.
    get values() {
      const read = db.sql('SELECT field_values FROM facets WHERE chunk = ? AND field = ?')
      return read.get(chunk, field)!['field_values'] as string
    },
  }
}

function keepByFacets(
  result: Uint8Array,
  { start, size }: Range,
  facets: Facets,
  condition: Condition,
): void {
  const passes = passingSlots(facets, condition, size)
  for (let slot = 0; slot < size; slot++) result[start + slot]! &= passes[slot]!
}

function keepByPayload(
  db: IndexDatabase,
  layout: Layout,
  result: Uint8Array,
  { start, size }: Range,
  filter: Filter,
): void {
  const read = db.sql('SELECT payload FROM documents WHERE number = ?')
  for (let position = start; position < start + size; position++) {
    if (!result[position]) continue
    const payload = JSON.parse(read.get(layout.documents[position]!)!['payload'] as string) as Payload
    if (!matchesFilter(payload, filter)) result[position] = 0
  }
}
