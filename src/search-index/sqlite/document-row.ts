import type { Payload } from '../search-index.ts'
import { hash32 } from '../terms.ts'
import { checkRow, presentRow, requireSound } from './checksum.ts'
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
  const found = db.sql(`SELECT ${DOCUMENT} FROM documents WHERE number = ?`).get(number)
  const row = presentRow(found) as unknown as DocumentRow
  const payload = payloadOf(row)
  requireSound(hash32(row.id) === tieBreak)
  return { id: row.id, payload }
}

export function vectorOf(db: IndexDatabase, document: number): Uint8Array {
  const row = presentRow(db.sql('SELECT vector, checksum FROM vectors WHERE document = ?').get(document))
  const vector = row['vector'] as Uint8Array
  checkRow(row['checksum'], document, vector)
  return vector
}
