import type { DocumentTerms } from '../terms.ts'

/**
 * A posting list says which documents have a term: for each its distance from the one before, as base-128 number, and
 * its weight in a byte. Documents are named by their slot in the chunk.
 */

/** A term, a slot and a weight are sorted as one number: 32 + 12 + 8 bits, which a double holds exactly. */
const WEIGHT = 2 ** 8
const SLOT = 2 ** 12
export const MOST_SLOTS = SLOT
const LONGEST_POSTING = 3

/** The posting lists of all terms that these documents have, in the order of the terms. */
export function* packPostings(
  documents: readonly DocumentTerms[],
): Generator<[term: number, postings: Uint8Array]> {
  const sorted = sortedPostings(documents)
  const bytes = new Uint8Array(sorted.length * LONGEST_POSTING)
  let end = 0
  for (let at = 0; at < sorted.length; ) {
    const term = Math.floor(sorted[at]! / (SLOT * WEIGHT))
    const start = end
    for (let last = -1; at < sorted.length; at++) {
      const posting = sorted[at]! - term * SLOT * WEIGHT
      if (posting >= SLOT * WEIGHT) break
      const slot = Math.floor(posting / WEIGHT)
      let gap = slot - last - 1
      for (; gap >= 0x80; gap >>>= 7) bytes[end++] = (gap & 0x7f) | 0x80
      bytes[end++] = gap
      bytes[end++] = posting % WEIGHT
      last = slot
    }
    yield [term, bytes.subarray(start, end)]
  }
}

function sortedPostings(documents: readonly DocumentTerms[]): Float64Array {
  const all = new Float64Array(documents.reduce((sum, { hashes }) => sum + hashes.length, 0))
  let end = 0
  for (const [slot, { hashes, weights }] of documents.entries()) {
    for (let at = 0; at < hashes.length; at++) {
      all[end++] = (hashes[at]! * SLOT + slot) * WEIGHT + weights[at]!
    }
  }
  return all.sort()
}

export function readPostings(bytes: Uint8Array, each: (slot: number, weight: number) => void): void {
  let slot = -1
  for (let at = 0; at < bytes.length; ) {
    let gap = 0
    let shift = 0
    for (; bytes[at]! >= 0x80; shift += 7) gap |= (bytes[at++]! & 0x7f) << shift
    gap |= bytes[at++]! << shift
    slot += gap + 1
    each(slot, bytes[at++]!)
  }
}

/**
 * The same into arrays, from `at` on, each slot counted from `start`; returns where they end now. A call for each posting
 * takes twice as long.
 */
export function copyPostings(
  bytes: Uint8Array,
  start: number,
  { positions, weights }: { positions: Uint32Array; weights: Uint8Array },
  at: number,
): number {
  let end = at
  let position = start - 1
  for (let byte = 0; byte < bytes.length; ) {
    let gap = 0
    let shift = 0
    for (; bytes[byte]! >= 0x80; shift += 7) gap |= (bytes[byte++]! & 0x7f) << shift
    gap |= bytes[byte++]! << shift
    position += gap + 1
    positions[end] = position
    weights[end++] = bytes[byte++]!
  }
  return end
}

/** A bucket holds the posting lists of neighbouring terms: so a list that is lost is missed, not taken for a rare word. */
const TERMS_PER_BUCKET = 32
const ALL_TERMS = 2 ** 32
/** Before each list: its term and its length. */
const LIST_HEAD = 8

/** In a power of two of buckets. All in one piece of memory: tens of thousands of small ones take longer than all the rest. */
export function packBuckets(lists: readonly (readonly [term: number, postings: Uint8Array])[]): Uint8Array[] {
  const count = 2 ** Math.ceil(Math.log2(Math.max(1, lists.length / TERMS_PER_BUCKET)))
  const ends = new Uint32Array(count + 1)
  for (const [term, { length }] of lists) ends[bucketOf(term, count) + 1]! += LIST_HEAD + length
  for (let at = 1; at <= count; at++) ends[at]! += ends[at - 1]!
  const starts = ends.slice()
  const bytes = new Uint8Array(ends[count]!)
  const view = new DataView(bytes.buffer)
  for (const [term, postings] of lists) {
    const bucket = bucketOf(term, count)
    const at = ends[bucket]!
    view.setUint32(at, term, true)
    view.setUint32(at + 4, postings.length, true)
    bytes.set(postings, at + LIST_HEAD)
    ends[bucket] = at + LIST_HEAD + postings.length
  }
  return Array.from({ length: count }, (_, at) => bytes.subarray(starts[at]!, starts[at + 1]!))
}

export function bucketOf(term: number, buckets: number): number {
  return Math.floor(term / (ALL_TERMS / buckets))
}

/** In the order of the terms. */
export function* listsIn(bucket: Uint8Array): Generator<[term: number, postings: Uint8Array]> {
  const view = new DataView(bucket.buffer, bucket.byteOffset, bucket.byteLength)
  for (let at = 0; at < bucket.length; ) {
    const start = at + LIST_HEAD
    const end = start + view.getUint32(at + 4, true)
    yield [view.getUint32(at, true), bucket.subarray(start, end)]
    at = end
  }
}

/** Of one term; undefined when it is not in the bucket. */
export function listIn(bucket: Uint8Array, term: number): Uint8Array | undefined {
  const view = new DataView(bucket.buffer, bucket.byteOffset, bucket.byteLength)
  for (let at = 0; at < bucket.length; at += LIST_HEAD + view.getUint32(at + 4, true)) {
    if (view.getUint32(at, true) !== term) continue
    return bucket.subarray(at + LIST_HEAD, at + LIST_HEAD + view.getUint32(at + 4, true))
  }
  return undefined
}
