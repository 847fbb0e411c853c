import { checkRow, checksumOf, presentRow } from './checksum.ts'
import type { ChunkEntry, PackedCollection } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import { documentAt } from './document-row.ts'
import { type Facets, FacetsWriter } from './facets.ts'

export function writeFacets(
  db: IndexDatabase,
  collection: PackedCollection,
  chunk: number,
  entries: readonly ChunkEntry[],
): void {
  const columns = collection.filterable.map((field) => [field, new FacetsWriter()] as const)
  for (const [slot, { document, tieBreak }] of entries.entries()) {
    const { payload } = documentAt(db, document, tieBreak)
    for (const [field, column] of columns) column.add(slot, payload[field])
  }
  for (const [field, column] of columns) putFacets(db, chunk, field, column.facets())
}

export function putFacets(db: IndexDatabase, chunk: number, field: string, facets: Facets): void {
  const { lowest, highest, slots, values } = facets
  db.sql('INSERT OR REPLACE INTO facets VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
    chunk,
    field,
    lowest,
    highest,
    slots,
    values,
    checksumOf(chunk, field, lowest, highest, slots),
    checksumOf(chunk, field, values),
  )
}

/** Undefined when the chunk was packed before the field became filterable. */
export function readFacets(db: IndexDatabase, chunk: number, field: string): Facets | undefined {
  const row = db
    .sql('SELECT lowest, highest, slots, checksum FROM facets WHERE chunk = ? AND field = ?')
    .get(chunk, field)
  if (!row) return undefined
  const { lowest, highest, slots } = row as unknown as Omit<Facets, 'values'>
  checkRow(row['checksum'], chunk, field, lowest, highest, slots)
  return {
    lowest,
    highest,
    slots,
    // Thousands of times, say: read only where the rest does not decide.
    get values() {
      const read = db.sql('SELECT field_values, values_checksum FROM facets WHERE chunk = ? AND field = ?')
      const { field_values: values, values_checksum: checksum } = presentRow(read.get(chunk, field))
      checkRow(checksum, chunk, field, values as string)
      return values as string
    },
  }
}
