/** Chance that can be repeated: the same seed gives the same numbers. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)]!
  }

  /** Of its own, whatever else is drawn from this one: trials can be run alone and stay the same. */
  fork(name: string): Random {
    let hash = this.#state
    for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0
    return new Random(hash)
  }
}

const WORDS =
  'amber basin cedar delta ember fjord grove heron islet jolly kayak lemon maple north olive pearl quill river stone tulip umber vapor willow xenon yield zebra'.split(
    ' ',
  )

/** A sentence that no other id gets: learnings and knowledge that say the same would be one. */
export function sentenceOf(id: string): string {
  const random = new Random(0).fork(id)
  return Array.from({ length: 9 }, () => `${random.of(WORDS)}${random.between(100, 999)}`).join(' ')
}
