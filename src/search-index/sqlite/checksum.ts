import { crc32 } from 'node:zlib'
import { RalphError } from '../../errors.ts'

type Part = Uint8Array | string | number | null | undefined

/** Of a row's columns in this order. SQLite notices a broken page, not a changed byte: a flipped bit would change results unsaid. */
export function checksumOf(...parts: readonly Part[]): number {
  let sum = 0
  for (const part of parts) {
    const bytes = part instanceof Uint8Array ? part : JSON.stringify(part ?? null)
    sum = crc32(bytes, sum)
  }
  return sum
}

/** Of a row that an earlier version wrote: it is believed. */
export const UNCHECKED = -1

export function checkRow(stored: unknown, ...parts: readonly Part[]): void {
  if (stored !== UNCHECKED && stored !== checksumOf(...parts)) throw damagedRow()
}

/** What another row speaks of is there, unless one of the two is damaged. */
export function presentRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw damagedRow()
  return row
}

function damagedRow(): RalphError {
  return new RalphError('damaged', 'the search index is damaged: a row is not as it was written', {
    hint: 'Nothing is lost, it is built again from what is stored: ralph memory rebuild',
  })
}
