import type { IndexDocument } from '../search-index.ts'
import { sketchOf } from '../sketch.ts'
import { type DocumentTerms, documentTerms, hash32 } from '../terms.ts'
import { unitVector } from '../vectors.ts'
import { checksumOf, requireSound } from './checksum.ts'
import { addLoose, type PackedCollection, REMOVED, removeEntries } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import { addVector, documentAt, packPayload } from './document-row.ts'
import { readLayout } from './layout.ts'
import { packVector } from './rounded-vector.ts'

export type PreparedDocument = IndexDocument & { terms: DocumentTerms }

/** What can be done before the file is locked for others; of two with one id the later one counts. */
export function prepareDocuments(
  documents: readonly IndexDocument[],
  typicalLength?: number,
): Map<string, PreparedDocument> {
  const latest = new Map(documents.map((document) => [document.id, document]))
  return new Map(
    Array.from(latest, ([id, document]) => [
      id,
      { ...document, terms: documentTerms(document, typicalLength) },
    ]),
  )
}

/** Stores a document of which there is none of that id. */
export function addDocument(db: IndexDatabase, collection: PackedCollection, added: PreparedDocument): void {
  const { id, textHash, vector, detail, payload, terms } = added
  const unit = vector && unitVector(vector, collection.dimensions)
  const content = packPayload(payload, textHash)
  const { lastInsertRowid } = db
    .sql('INSERT INTO documents (collection, id, text_hash, payload, checksum) VALUES (?, ?, ?, ?, ?)')
    .run(collection.number, id, textHash, content, checksumOf(id, textHash, content))
  const document = Number(lastInsertRowid)
  if (unit) addVector(db, document, packVector(unit), detail)
  addLoose(db, collection.number, {
    document,
    tieBreak: hash32(id),
    terms,
    sketch: unit && sketchOf(unit),
  })
}

/** Ids that are not there do not matter. Returns how many were. */
export function removeDocuments(
  db: IndexDatabase,
  collection: PackedCollection,
  ids: Iterable<string>,
): number {
  const find = db.sql('SELECT number, chunk FROM documents WHERE collection = ? AND id = ?')
  const stored = Array.from(ids, (id) => find.get(collection.number, id)).filter((row) => row !== undefined)
  const rows = stored as unknown as { number: number; chunk: number | null }[]
  removeEntries(db, collection, rows)
  for (const { number } of rows) {
    for (const table of ['vectors', 'details']) db.sql(`DELETE FROM ${table} WHERE document = ?`).run(number)
    db.sql('DELETE FROM documents WHERE number = ?').run(number)
  }
  return rows.length
}

/** What was removed is found by no search: SQLite's own index of the ids may be what is damaged. */
export function requireAbsent(db: IndexDatabase, collection: PackedCollection, ids: readonly string[]): void {
  if (ids.length === 0) return
  const absent = new Map(ids.map((id) => [hash32(id), id]))
  const { documents, tieBreaks, flags } = readLayout(db, collection)
  for (const [position, tieBreak] of tieBreaks.entries()) {
    if (flags[position]! & REMOVED || !absent.has(tieBreak)) continue
    requireSound(documentAt(db, documents[position]!, tieBreak).id !== absent.get(tieBreak))
  }
}
