/** Texts and vectors that are the same in every run. Words follow Zipf's law, as in real texts. */
export class RandomTexts {
  #state: number
  readonly #cumulated: Float64Array

  constructor(seed: number, vocabulary = 30_000) {
    this.#state = seed
    this.#cumulated = new Float64Array(vocabulary)
    let sum = 0
    for (let rank = 0; rank < vocabulary; rank++) {
      sum += 1 / (rank + 2.7)
      this.#cumulated[rank] = sum
    }
  }

  text(words: number): string {
    return Array.from({ length: words }, () => this.#word()).join(' ')
  }

  /** Of unit length, in any direction. */
  vector(dimensions: number): Float32Array {
    const vector = Float32Array.from({ length: dimensions }, () => this.#gaussian())
    const length = Math.hypot(...vector)
    return vector.map((component) => component / length)
  }

  uuid(): string {
    const hex = Array.from({ length: 4 }, () =>
      Math.floor(this.#next() * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join('')
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
  }

  #word(): string {
    const wanted = this.#next() * this.#cumulated.at(-1)!
    let low = 0
    let high = this.#cumulated.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#cumulated[middle]! < wanted) low = middle + 1
      else high = middle
    }
    // Letters only, as digits would be taken for a name with a number, and about as long as words are.
    const letters = low.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
    return letters + letters
  }

  #gaussian(): number {
    return Math.sqrt(-2 * Math.log(this.#next() + 1e-12)) * Math.cos(2 * Math.PI * this.#next())
  }

  /** A linear congruential generator: poor, but enough here. */
  #next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return this.#state / 2 ** 32
  }
}
