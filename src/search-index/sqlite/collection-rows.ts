import type { CollectionSpec, Json } from '../search-index.ts'
import { checkRow, checksumOf, requireSound } from './checksum.ts'
import type { PackedCollection } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import { frozen } from './frozen.ts'

/** About what one takes in memory. */
const BYTES = 1_000

export type StoredCollection = PackedCollection & { state: Json | undefined }

export function findCollection(db: IndexDatabase, name: string): StoredCollection | undefined {
  const columns = 'number, embedder_id, dimensions, filterable, documents, state, checksum'
  const row = db.sql(`SELECT ${columns} FROM collections WHERE name = ?`).get(name)
  if (!row) return requireNotLost(db, name)
  const { number, embedder_id, dimensions, filterable, documents, state, checksum } = row as unknown as Row
  checkRow(checksum, number, name, embedder_id, dimensions, filterable, documents, state)
  return {
    number,
    embedderId: embedder_id,
    dimensions,
    filterable: JSON.parse(filterable) as string[],
    documents,
    state: state === null ? undefined : (JSON.parse(state) as Json),
  }
}

/** The same for those who only read: as it was read before, while nobody has written. */
export function knownCollection(db: IndexDatabase, name: string): Readonly<StoredCollection> | undefined {
  const read = () => frozen(findCollection(db, name)) ?? null
  return db.known().get('collection', name, read, () => BYTES) ?? undefined
}

/** An empty one; it is there once it is kept. */
export function newCollection(db: IndexDatabase, spec: CollectionSpec): StoredCollection {
  const { name, embedderId, dimensions, filterable } = spec
  const { lastInsertRowid } = db
    .sql(
      'INSERT INTO collections (name, embedder_id, dimensions, filterable, checksum) VALUES (?, ?, ?, ?, 0)',
    )
    .run(name, embedderId, dimensions, JSON.stringify(filterable))
  const number = Number(lastInsertRowid)
  return { number, embedderId, dimensions, filterable: [...filterable], documents: 0, state: undefined }
}

export function keepCollection(db: IndexDatabase, name: string, collection: StoredCollection): void {
  const { number, embedderId, dimensions, documents } = collection
  const filterable = JSON.stringify(collection.filterable)
  const state = collection.state === undefined ? null : JSON.stringify(collection.state)
  const checksum = checksumOf(number, name, embedderId, dimensions, filterable, documents, state)
  db.sql(
    'UPDATE collections SET filterable = ?, documents = ?, state = ?, checksum = ? WHERE number = ?',
  ).run(filterable, documents, state, checksum, number)
}

/** A collection that is not found has no row, and nothing is stored that belongs to none. */
function requireNotLost(db: IndexDatabase, name: string): undefined {
  const orphaned = (table: string) =>
    `EXISTS (SELECT 1 FROM ${table} WHERE collection NOT IN (SELECT number FROM collections))`
  const named = 'EXISTS (SELECT 1 FROM collections NOT INDEXED WHERE name = ?)'
  const { lost } = db
    .sql(`SELECT ${named} OR ${orphaned('chunks')} OR ${orphaned('loose')} AS lost`)
    .get(name)!
  requireSound(lost === 0)
}

interface Row {
  number: number
  embedder_id: string
  dimensions: number
  filterable: string
  documents: number
  state: string | null
  checksum: number
}
