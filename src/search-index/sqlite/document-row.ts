import type { Payload } from '../search-index.ts'
import { hash32 } from '../terms.ts'
import { checkRow, checksumOf, presentRow, requireSound } from './checksum.ts'
import type { IndexDatabase } from './database.ts'

export interface DocumentRow {
  id: string
  text_hash: string
  payload: string
  checksum: number
}

/** The columns of a `DocumentRow`. */
export const DOCUMENT = 'id, text_hash, payload, documents.checksum AS checksum'

export function payloadOf({ id, text_hash, payload, checksum }: DocumentRow): Payload {
  checkRow(checksum, id, text_hash, payload)
  return JSON.parse(payload) as Payload
}

/** The document that an entry of a chunk or a loose one speaks of: the hash of its id stands in both. */
export function documentAt(
  db: IndexDatabase,
  number: number,
  tieBreak: number,
): { id: string; payload: Payload } {
  const { id, payload } = documentTextAt(db, number, tieBreak)
  return { id, payload: JSON.parse(payload) as Payload }
}

/** The same with its payload as it is written. */
export function documentTextAt(
  db: IndexDatabase,
  number: number,
  tieBreak: number,
): { id: string; payload: string } {
  const found = db.sql(`SELECT ${DOCUMENT} FROM documents WHERE number = ?`).get(number)
  const { id, text_hash, payload, checksum } = presentRow(found) as unknown as DocumentRow
  checkRow(checksum, id, text_hash, payload)
  requireSound(hash32(id) === tieBreak)
  return { id, payload }
}

export interface VectorRow {
  document: number
  vector: Uint8Array
  checksum: number
  detail_checksum: number | null
}
const VECTOR = 'document, vector, checksum, detail_checksum'

export function addVector(
  db: IndexDatabase,
  document: number,
  vector: Uint8Array,
  detail: Uint8Array | undefined,
): void {
  const ofDetail = detail ? checksumOf(document, detail) : null
  const row = { document, vector, detail_checksum: ofDetail }
  db.sql(`INSERT INTO vectors (${VECTOR}) VALUES (?, ?, ?, ?)`).run(
    document,
    vector,
    vectorChecksum(row),
    ofDetail,
  )
  if (detail) db.sql('INSERT INTO details VALUES (?, ?)').run(document, detail)
}

/** A vector without a detail is written as it was before there were any. */
function vectorChecksum({ document, vector, detail_checksum }: Omit<VectorRow, 'checksum'>): number {
  return checksumOf(document, vector, ...(detail_checksum === null ? [] : [detail_checksum]))
}

export function checkVector(row: VectorRow): void {
  requireSound(row.checksum === vectorChecksum(row))
}

/** With its detail, if it has one. */
export function vectorOf(
  db: IndexDatabase,
  document: number,
): { vector: Uint8Array; detail: Uint8Array | undefined } {
  const row = presentRow(db.sql(`SELECT ${VECTOR} FROM vectors WHERE document = ?`).get(document))
  const read = row as unknown as VectorRow
  checkVector(read)
  return { vector: read.vector, detail: detailOf(db, read) }
}

export function detailOf(
  db: IndexDatabase,
  { document, detail_checksum }: Pick<VectorRow, 'document' | 'detail_checksum'>,
): Uint8Array | undefined {
  if (detail_checksum === null) return undefined
  const row = presentRow(db.sql('SELECT detail FROM details WHERE document = ?').get(document))
  const detail = row['detail'] as Uint8Array
  checkRow(detail_checksum, document, detail)
  return detail
}

/** Of those that have one, whose vectors have been checked before. */
export function detailsOf(db: IndexDatabase, documents: readonly number[]): Map<number, Uint8Array> {
  if (documents.length === 0) return new Map()
  const rows = db
    .sql(
      `SELECT document, detail_checksum, detail FROM vectors LEFT JOIN details USING (document)
       WHERE detail_checksum IS NOT NULL AND document IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(documents)) as {
    document: number
    detail_checksum: number
    detail: Uint8Array | null
  }[]
  for (const { document, detail_checksum, detail } of rows) checkRow(detail_checksum, document, detail)
  return new Map(rows.map(({ document, detail }) => [document, detail!]))
}

/** Asked one by one they take twice as long. */
export function vectorsOf(db: IndexDatabase, documents: readonly number[]): Map<number, Uint8Array> {
  if (documents.length === 0) return new Map()
  const wanted = 'document IN (SELECT value FROM json_each(?))'
  const rows = db
    .sql(`SELECT ${VECTOR} FROM vectors WHERE ${wanted}`)
    .all(JSON.stringify(documents)) as unknown as VectorRow[]
  for (const row of rows) checkVector(row)
  const vectors = new Map(rows.map(({ document, vector }) => [document, vector]))
  requireSound(documents.every((document) => vectors.has(document)))
  return vectors
}
