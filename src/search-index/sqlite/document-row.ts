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

/** Stands for the hash of the text: no JSON has it as it is. */
const TEXT_HASH = '\u0001'

/** As it is stored: many a payload says of which text it is, too, and that is stored beside it. */
export function packPayload(payload: Payload, textHash: string): string {
  return JSON.stringify(payload).replaceAll(`"${textHash}"`, TEXT_HASH)
}

export function payloadOf({ id, text_hash, payload, checksum }: DocumentRow): Payload {
  checkRow(checksum, id, text_hash, payload)
  return JSON.parse(payload.replaceAll(TEXT_HASH, `"${text_hash}"`)) as Payload
}

/** The document that an entry of a chunk or a loose one speaks of: the hash of its id stands in both. */
export function documentAt(db: IndexDatabase, number: number, tieBreak: number): DocumentContent {
  const found = db.sql(`SELECT ${DOCUMENT} FROM documents WHERE number = ?`).get(number)
  const row = presentRow(found) as unknown as DocumentRow
  requireSound(hash32(row.id) === tieBreak)
  return { id: row.id, payload: payloadOf(row), bytes: row.payload.length }
}

export interface DocumentContent {
  id: string
  payload: Payload
  /** Of the payload as it is written. */
  bytes: number
}

export interface VectorRow {
  document: number
  steps: Uint8Array
  checksum: number
  detail_checksum: number | null
}
const VECTOR = 'document, steps, checksum, detail_checksum'

export function addVector(
  db: IndexDatabase,
  document: number,
  steps: Uint8Array,
  detail: Uint8Array | undefined,
): void {
  const ofDetail = detail ? checksumOf(document, detail) : null
  const row = { document, steps, detail_checksum: ofDetail }
  db.sql(`INSERT INTO vectors (${VECTOR}) VALUES (?, ?, ?, ?)`).run(
    document,
    steps,
    vectorChecksum(row),
    ofDetail,
  )
  if (detail) db.sql('INSERT INTO details VALUES (?, ?)').run(document, detail)
}

/** A vector without a detail is written as it was before there were any. */
function vectorChecksum({ document, steps, detail_checksum }: Omit<VectorRow, 'checksum'>): number {
  return checksumOf(document, steps, ...(detail_checksum === null ? [] : [detail_checksum]))
}

export function checkVector(row: VectorRow): void {
  requireSound(row.checksum === vectorChecksum(row))
}

/** Throws unless it is there as it was written, with its detail if it has one. */
export function examineVector(db: IndexDatabase, document: number): void {
  const found = db.sql(`SELECT ${VECTOR} FROM vectors WHERE document = ?`).get(document)
  const row = presentRow(found) as unknown as VectorRow
  checkVector(row)
  detailOf(db, row)
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
  const vectors = new Map(rows.map(({ document, steps }) => [document, steps]))
  requireSound(documents.every((document) => vectors.has(document)))
  return vectors
}
