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
    for (let byte = 0; byte < this.#bytes; byte++)
      this.#fill(byte * 256, vector.subarray(byte * 8, byte * 8 + 8))
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
