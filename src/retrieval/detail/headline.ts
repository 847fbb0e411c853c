import { hash32 } from '../../search-index/terms.ts'

/** Longer lines are data. */
const LONGEST = 600
const BYTES = 2

/**
 * The line that says what is wrong, in pieces of three letters: programs word one failure alike, with other names in it, and
 * documentation in other forms of the same words.
 */
export function encodeHeadline(line: string): Uint8Array {
  return Uint8Array.from(
    [...piecesOf(line)].sort((a, b) => a - b).flatMap((piece) => [piece & 0xff, piece >>> 8]),
  )
}

export function askedHeadline(line: string): ReadonlySet<number> {
  return piecesOf(line)
}

/** Of all pieces of both, how many are shared: 0 to 1. */
export function headlinesAlike(encoded: Uint8Array, asked: ReadonlySet<number>): number {
  const pieces = encoded.length / BYTES
  if (pieces + asked.size === 0) return 0
  let shared = 0
  for (let at = 0; at + 1 < encoded.length; at += BYTES)
    if (asked.has(encoded[at]! | (encoded[at + 1]! << 8))) shared++
  return (2 * shared) / (pieces + asked.size)
}

/** Sixteen bits are enough to tell some hundred pieces apart. */
function piecesOf(line: string): Set<number> {
  const letters = line
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const pieces = new Set<number>()
  const framed = ` ${letters} `
  if (letters === '') return pieces
  for (let at = 0; at + 3 <= framed.length; at++) pieces.add(hash32(framed.slice(at, at + 3)) & 0xffff)
  return pieces
}
