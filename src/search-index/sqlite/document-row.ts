import type { Payload } from '../search-index.ts'
import { checkRow, presentRow } from './checksum.ts'

export interface DocumentRow {
  id: string
  text_hash: string
  payload: string
  checksum: number
}

/** The columns of a `DocumentRow`. */
export const DOCUMENT = 'id, text_hash, payload, checksum'

export function payloadOf(row: DocumentRow | undefined): Payload {
  const { id, text_hash, payload, checksum } = presentRow(row)
  checkRow(checksum, id, text_hash, payload)
  return JSON.parse(payload) as Payload
}
