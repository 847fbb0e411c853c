/**
 * One bit per dimension: its sign. Compared with the question's full vector, the sketches' order is close enough to
 * the true one that re-scoring a few hundred finds the best (measured: 99.9 % of the best 20), at a 32nd of the reading.
 */

/** In words of 32 bits, which are quicker to read than bytes. */
const BITS = 32
const BYTES = BITS / 8

export function sketchBytes(dimensions: number): number {
  return Math.ceil(dimensions / BITS) * BYTES
}

export function sketchOf(vector: Float32Array): Uint8Array {
  const words = new Uint32Array(Math.ceil(vector.length / BITS))
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) words[at >> 5]! |= 1 << (at & 31)
  return new Uint8Array(words.buffer)
}

/** For each byte position and each value of the byte, what it adds to the likeness with `vector`. */
export class SketchScorer {
  readonly #words: number
  readonly #table: Float32Array

  constructor(vector: Float32Array) {
    this.#words = Math.ceil(vector.length / BITS)
    this.#table = new Float32Array(this.#words * BYTES * 256)
    for (let byte = 0; byte < this.#words * BYTES; byte++) {
      this.#fill(byte * 256, vector.subarray(byte * 8, byte * 8 + 8))
    }
  }

  /** Scores the sketches that lie end to end in `sketches`, as far as allowed; both other arrays from `offset`. */
  score(sketches: Uint8Array, allowed: Uint8Array, scores: Float32Array, offset: number): void {
    const table = this.#table
    const words = new Uint32Array(sketches.buffer, sketches.byteOffset, sketches.byteLength / BYTES)
    for (let start = 0, at = offset; start < words.length; start += this.#words, at++) {
      if (allowed[at] === 0) continue
      // Two sums, so that the processor need not wait for one addition before it begins the next.
      let low = 0
      let high = 0
      for (let word = 0, base = 0; word < this.#words; word++, base += 1024) {
        const bits = words[start + word]!
        low += table[base + (bits & 255)]! + table[base + 256 + ((bits >>> 8) & 255)]!
        high += table[base + 512 + ((bits >>> 16) & 255)]! + table[base + 768 + (bits >>> 24)]!
      }
      scores[at] = low + high
    }
  }

  /** All bits off first; then each further bit doubles the values that are known. */
  #fill(start: number, components: Float32Array): void {
    const table = this.#table
    let allOff = 0
    for (const component of components) allOff -= component
    table[start] = allOff
    for (let bit = 0; bit < 8; bit++) {
      const turnedOn = 2 * (components[bit] ?? 0)
      const known = 1 << bit
      for (let value = 0; value < known; value++)
        table[start + known + value] = table[start + value]! + turnedOn
    }
  }
}
