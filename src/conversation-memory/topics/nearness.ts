import { throwIfAborted } from '../../errors.ts'
import type { Talk } from './talk.ts'
import { termsOf } from './telling-words.ts'

/** Of a few conversations the mean says little: it is taken away only so far as there are others. */
const FEW = 20
/** Pairs that are looked at to learn how near two conversations are that have nothing to do with each other. */
const SAMPLED_PAIRS = 20_000
/** What is farther from all others than this is no background, but one topic: then it is compared with what is usual elsewhere. */
const MEANING = { highest: 0.2, narrowest: 0.1, widest: 0.2 }
/** One of two witnesses is less sure than both. */
const WORDS_ALONE = 0.85
/** What means nearly the same may be said in other words, or in another language. */
const MEANING_ALONE = 0.65
const WORDS = { highest: 0.06, narrowest: 0.04, widest: 0.1 }

/** Members of a group, with the sums of where they stand: two groups are as near as their members are on average. */
export interface Group {
  members: readonly number[]
  vector: Float32Array | undefined
  embedded: number
  terms: ReadonlyMap<number, number>
}

interface Background {
  mean: number
  deviation: number
}

/**
 * How near conversations are, in deviations from what two of this history usually are: so it means the same with every
 * embedder, with words alone, and whether somebody works on one project or on twenty. Words and meaning count alike: within one
 * project everything means much the same, and the words tell it apart.
 */
export class Nearness {
  readonly #vectors: readonly (Float32Array | undefined)[]
  readonly #terms: readonly ReadonlyMap<number, number>[]
  readonly #meaning: Background
  readonly #words: Background

  constructor(talks: readonly Talk[]) {
    this.#vectors = centred(talks.map(({ vector }) => vector))
    this.#terms = weighted(talks.map(termsOf))
    const pairs = sampledPairs(talks.length)
    this.#meaning = background(
      pairs.flatMap(([a, b]) => {
        const [one, other] = [this.#vectors[a], this.#vectors[b]]
        return one && other ? [dot(one, other)] : []
      }),
      MEANING,
    )
    this.#words = background(
      pairs.map(([a, b]) => overlap(this.#terms[a]!, this.#terms[b]!)),
      WORDS,
    )
  }

  group(members: readonly number[]): Group {
    const vectors = members.flatMap((at) => this.#vectors[at] ?? [])
    const terms = new Map<number, number>()
    for (const at of members)
      for (const [term, weight] of this.#terms[at]!) terms.set(term, (terms.get(term) ?? 0) + weight)
    return {
      members,
      vector: vectors.length > 0 ? summed(vectors) : undefined,
      embedded: vectors.length,
      terms,
    }
  }

  /** The mean over all pairs of one from each. */
  between(a: Group, b: Group): number {
    return this.#amount(overlap(a.terms, b.terms), a, b)
  }

  /** The same of every two of them, row by row; a group with itself is as far as can be. */
  amongst(groups: readonly Group[], signal?: AbortSignal): Float32Array {
    const count = groups.length
    const near = overlaps(groups)
    for (let a = 0; a < count; a++) {
      throwIfAborted(signal)
      near[a * count + a] = Number.NEGATIVE_INFINITY
      for (let b = a + 1; b < count; b++) {
        const value = this.#amount(near[a * count + b]!, groups[a]!, groups[b]!)
        near[a * count + b] = value
        near[b * count + a] = value
      }
    }
    return near
  }

  #amount(shared: number, a: Group, b: Group): number {
    const words = shared / (a.members.length * b.members.length)
    const byWords = (words - this.#words.mean) / this.#words.deviation
    if (!a.vector || !b.vector) return byWords * WORDS_ALONE
    const meaning = dot(a.vector, b.vector) / (a.embedded * b.embedded)
    const byMeaning = (meaning - this.#meaning.mean) / this.#meaning.deviation
    return Math.max((byWords + byMeaning) / 2, byMeaning * MEANING_ALONE)
  }
}

/** What every two groups share in words, word by word: most have few in common. */
function overlaps(groups: readonly Group[]): Float32Array {
  const count = groups.length
  const shared = new Float32Array(count * count)
  const carriers = new Map<number, { at: number[]; weights: number[] }>()
  for (const [at, { terms }] of groups.entries()) {
    for (const [term, weight] of terms) {
      const known = carriers.get(term)
      if (!known) {
        carriers.set(term, { at: [at], weights: [weight] })
        continue
      }
      for (let before = 0; before < known.at.length; before++)
        shared[known.at[before]! * count + at]! += known.weights[before]! * weight
      known.at.push(at)
      known.weights.push(weight)
    }
  }
  return shared
}

/** What all have in common tells none from another. */
function centred(vectors: readonly (Float32Array | undefined)[]): (Float32Array | undefined)[] {
  const there = vectors.flatMap((vector) => vector ?? [])
  if (there.length === 0) return [...vectors]
  const share = there.length / (there.length + FEW)
  const mean = summed(there).map((value) => (value * share) / there.length)
  return vectors.map((vector) => vector && unit(vector.map((value, at) => value - mean[at]!)))
}

/** Rare words weigh more, repetitions little; of unit length. Terms become numbers. */
function weighted(all: readonly ReadonlyMap<string, number>[]): Map<number, number>[] {
  const carriers = new Map<string, number>()
  for (const terms of all) for (const term of terms.keys()) carriers.set(term, (carriers.get(term) ?? 0) + 1)
  const numbers = new Map<string, number>()
  return all.map((terms) => {
    const weights = new Map<number, number>()
    let squares = 0
    for (const [term, count] of terms) {
      const number = numbers.get(term) ?? numbers.size
      numbers.set(term, number)
      const weight = Math.log1p(count) * Math.log(1 + all.length / (1 + carriers.get(term)!))
      weights.set(number, weight)
      squares += weight * weight
    }
    const length = Math.sqrt(squares) || 1
    for (const [number, weight] of weights) weights.set(number, weight / length)
    return weights
  })
}

/**
 * From the lower part of the pairs alone: most of those have nothing to do with each other, even where half of a history is about
 * one thing.
 */
function background(
  values: number[],
  { highest, narrowest, widest }: { highest: number; narrowest: number; widest: number },
): Background {
  if (values.length === 0) return { mean: 0, deviation: widest }
  values.sort((a, b) => a - b)
  const at = (share: number) => values[Math.min(values.length - 1, Math.floor(share * values.length))]!
  const deviation = Math.min(widest, Math.max(narrowest, at(0.5) - at(0.16)))
  return { mean: Math.min(highest, at(0.5)), deviation }
}

function sampledPairs(count: number): [number, number][] {
  const all = (count * (count - 1)) / 2
  const pairs: [number, number][] = []
  if (all <= SAMPLED_PAIRS) {
    for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) pairs.push([a, b])
    return pairs
  }
  // Evenly over all, always the same.
  const stride = all / SAMPLED_PAIRS
  for (let pair = 0; pair < SAMPLED_PAIRS; pair++) {
    const number = Math.floor(pair * stride)
    const b = Math.floor((1 + Math.sqrt(1 + 8 * number)) / 2)
    pairs.push([number - (b * (b - 1)) / 2, b])
  }
  return pairs
}

function overlap(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, weight] of fewer) {
    const other = more.get(term)
    if (other !== undefined) sum += weight * other
  }
  return sum
}

function summed(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]!.length)
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!
  return sum
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / length)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
