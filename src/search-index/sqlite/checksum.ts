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

export function checkRow(stored: unknown, ...parts: readonly Part[]): void {
  requireSound(stored === checksumOf(...parts))
}

/** What another row speaks of is there, unless one of the two is damaged. */
export function presentRow<Row>(row: Row | undefined): Row {
  requireSound(row !== undefined)
  return row
}

/** For what the rows must be to each other: a checksum says nothing of a row that is lost, or found twice. */
export function requireSound(sound: boolean): asserts sound {
  if (sound) return
  throw new RalphError('damaged', 'the search index is damaged: its rows are not as they were written', {
    hint: 'Nothing is lost, it is built again from what is stored: ralph memory rebuild',
  })
}

export function isAscending(numbers: ArrayLike<number>): boolean {
  for (let at = 1; at < numbers.length; at++) if (numbers[at]! <= numbers[at - 1]!) return false
  return true
}
