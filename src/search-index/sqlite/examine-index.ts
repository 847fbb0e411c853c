import { presentRow, requireSound } from './checksum.ts'
import { allPostings, readSketches } from './chunk-rows.ts'
import { HAS_VECTOR, type PackedCollection, REMOVED } from './chunks.ts'
import { findCollection } from './collection-rows.ts'
import type { IndexDatabase } from './database.ts'
import { documentAt, examineVector } from './document-row.ts'
import { readFacets } from './facet-rows.ts'
import { isOfNoKnownFormat } from './header.ts'
import { readLayout } from './layout.ts'

/** Throws unless SQLite finds its pages in order, and all that a search could read is as it was written. */
export function examineIndex(db: IndexDatabase, collections: readonly string[]): void {
  requireSound(!isOfNoKnownFormat(db.path))
  requireSound(db.sql('PRAGMA quick_check(1)').get()!['quick_check'] === 'ok')
  for (const name of collections) examineCollection(db, presentRow(findCollection(db, name)))
}

function examineCollection(db: IndexDatabase, collection: PackedCollection): void {
  const layout = readLayout(db, collection)
  for (const chunk of layout.chunks) {
    readSketches(db, chunk.number)
    Array.from(allPostings(db, chunk))
    for (const field of collection.filterable) void readFacets(db, chunk.number, field)?.values
  }
  for (const [position, number] of layout.documents.entries()) {
    const flags = layout.flags[position]!
    if (flags & REMOVED) continue
    documentAt(db, number, layout.tieBreaks[position]!)
    if (flags & HAS_VECTOR) examineVector(db, number)
  }
}
