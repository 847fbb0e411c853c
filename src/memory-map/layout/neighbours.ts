import type { Turns } from './turns.ts'

/** Another vector, and how far its meaning is: 1 less the cosine. */
export interface Neighbour {
  at: number
  distance: number
}

/** What is nearer says the same in nearly the same words. */
const TWINS = 0.05

/**
 * Of each in `of`, the nearest `count` among all, the nearest first; at most half of them twins, or what was said again and
 * again would know nothing but itself. Every pair is compared, once: none is missed, and with the few thousand there are
 * that takes about a second.
 */
export async function nearestOfEach(
  vectors: readonly Float32Array[],
  of: readonly number[],
  { count, turns }: { count: number; turns: Turns },
): Promise<Neighbour[][]> {
  const lists = new Map(of.map((at) => [at, new Around(count)]))
  for (const at of lists.keys()) {
    const own = lists.get(at)!
    for (let other = 0; other < vectors.length; other++) {
      const others = lists.get(other)
      if (other === at || (others && other < at)) continue // compared when it was its turn
      const distance = 1 - cosine(vectors[at]!, vectors[other]!)
      own.add(other, distance)
      others?.add(at, distance)
    }
    if (turns.isOver) await turns.next()
  }
  return of.map((at) => lists.get(at)!.list())
}

/** The nearest of those in `among`. */
export function nearestAmong(
  vectors: readonly Float32Array[],
  of: number,
  among: Iterable<number>,
  count: number,
): Neighbour[] {
  const found = new Nearest(count)
  for (const at of among) found.add(at, 1 - cosine(vectors[of]!, vectors[at]!))
  return found.list()
}

class Around {
  readonly #count: number
  readonly #twins: Nearest
  readonly #others: Nearest

  constructor(count: number) {
    this.#count = count
    this.#twins = new Nearest(Math.ceil(count / 2))
    this.#others = new Nearest(count)
  }

  add(at: number, distance: number): void {
    if (distance < TWINS) this.#twins.add(at, distance)
    else this.#others.add(at, distance)
  }

  list(): Neighbour[] {
    return [...this.#twins.list(), ...this.#others.list()].slice(0, this.#count)
  }
}

/** A short sorted list; equals keep the order in which they come. */
class Nearest {
  readonly #at: Int32Array
  readonly #distances: Float64Array
  #length = 0

  constructor(count: number) {
    this.#at = new Int32Array(count)
    this.#distances = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  }

  add(at: number, distance: number): void {
    if (distance >= this.#distances[this.#distances.length - 1]!) return
    let place = Math.min(this.#length, this.#at.length - 1)
    for (; place > 0 && this.#distances[place - 1]! > distance; place--) {
      this.#at[place] = this.#at[place - 1]!
      this.#distances[place] = this.#distances[place - 1]!
    }
    this.#at[place] = at
    this.#distances[place] = distance
    this.#length = Math.min(this.#length + 1, this.#at.length)
  }

  list(): Neighbour[] {
    return Array.from({ length: this.#length }, (_, place) => ({
      at: this.#at[place]!,
      distance: Math.max(0, this.#distances[place]!),
    }))
  }
}

/** Of vectors of unit length, four at a time: this is where the time goes. */
function cosine(a: Float32Array, b: Float32Array): number {
  let one = 0
  let two = 0
  let three = 0
  let four = 0
  let at = 0
  for (; at + 3 < a.length; at += 4) {
    one += a[at]! * b[at]!
    two += a[at + 1]! * b[at + 1]!
    three += a[at + 2]! * b[at + 2]!
    four += a[at + 3]! * b[at + 3]!
  }
  for (; at < a.length; at++) one += a[at]! * b[at]!
  return one + two + three + four
}
