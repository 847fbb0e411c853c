/**
 * One bit per dimension: its sign. Compared with the question's full vector, the sketches' order is close enough to
 * the true one that re-scoring a few hundred finds the best (measured: 99.9 % of the best 20), at a 32nd of the reading.
 */

export function sketchBytes(dimensions: number): number {
  return Math.ceil(dimensions / 8)
}

export function sketchOf(vector: Float32Array): Uint8Array {
  const sketch = new Uint8Array(sketchBytes(vector.length))
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) sketch[at >> 3]! |= 1 << (at & 7)
  return sketch
}

/** For each byte position and each value of the byte, what it adds to the likeness with `vector`. */
export class SketchScorer {
  readonly #bytes: number
  readonly #table: Float32Array

  constructor(vector: Float32Array) {
    this.#bytes = sketchBytes(vector.length)
    this.#table = new Float32Array(this.#bytes * 256)
    for (let byte = 0; byte < this.#bytes; byte++) {
      const components = Array.from({ length: 8 }, (_, bit) => vector[byte * 8 + bit] ?? 0)
      const start = byte * 256
      this.#table[start] = -components.reduce((sum, component) => sum + component, 0)
      // Each value differs in its lowest bit from one that is already known.
      for (let value = 1; value < 256; value++) {
        const lowestBit = 31 - Math.clz32(value & -value)
        this.#table[start + value] = this.#table[start + (value & (value - 1))]! + 2 * components[lowestBit]!
      }
    }
  }

  /** Scores the sketches that lie end to end in `sketches`, as far as allowed; both other arrays from `offset`. */
  score(sketches: Uint8Array, allowed: Uint8Array, scores: Float32Array, offset: number): void {
    const table = this.#table
    const bytes = this.#bytes
    for (let start = 0, at = offset; start < sketches.length; start += bytes, at++) {
      if (allowed[at] === 0) continue
      let sum = 0
      for (let byte = 0; byte < bytes; byte++) sum += table[(byte << 8) + sketches[start + byte]!]!
      scores[at] = sum
    }
  }
}
