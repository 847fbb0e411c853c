import { hash32 } from '../../search-index/terms.ts'
import { searchTerms } from '../../text/words.ts'

/** Of a pasted log the beginning tells enough. */
const MOST_ASKED = 256
/** Of a question: what is pasted beyond it holds no more than `MOST_ASKED` pairs need. */
const MOST_READ = 16_000
const BYTES = 4

/** Which words stand next to each other in a document: "read only" and "only read" have the same words. */
export function encodePairs(text: string): Uint8Array {
  const pairs = Uint32Array.from(pairsOf(text)).sort()
  const encoded = new DataView(new ArrayBuffer(pairs.length * BYTES))
  for (const [at, pair] of pairs.entries()) encoded.setUint32(at * BYTES, pair, true)
  return new Uint8Array(encoded.buffer)
}

/** Of a question, in its order. */
export function askedPairs(text: string): number[] {
  return [...pairsOf(text.slice(0, MOST_READ))].slice(0, MOST_ASKED)
}

/** How many a document has. */
export function pairsIn(encoded: Uint8Array): number {
  return Math.floor(encoded.byteLength / BYTES)
}

/** Which of the question's pairs a document has, by their place in the question. */
export function pairsFound(encoded: Uint8Array, asked: readonly number[]): number[] {
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  const found: number[] = []
  for (let at = 0; at < asked.length; at++) if (has(view, asked[at]!)) found.push(at)
  return found
}

function pairsOf(text: string): Set<number> {
  const { words } = searchTerms(text)
  const pairs = new Set<number>()
  for (let at = 1; at < words.length; at++) {
    const [before, word] = [words[at - 1]!, words[at]!]
    if (before !== word) pairs.add(hash32(`${before} ${word}`))
  }
  return pairs
}

/** In numbers that ascend. */
function has(view: DataView, wanted: number): boolean {
  let low = 0
  let high = Math.floor(view.byteLength / BYTES)
  while (low < high) {
    const middle = (low + high) >>> 1
    const pair = view.getUint32(middle * BYTES, true)
    if (pair === wanted) return true
    if (pair < wanted) low = middle + 1
    else high = middle
  }
  return false
}
