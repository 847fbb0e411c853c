import type { Schemas } from '@qdrant/js-client-rest'
import type { Evidence } from '../query.ts'
import { coverageOf, massToCover, wordShareOf } from '../terms.ts'
import { WORDS_VECTOR } from './metadata.ts'

type Point = Schemas['ScoredPoint']

/** A weight that is off by that much of the greatest ranks documents in another order. */
const WEIGHT_OFF = 0.05

export interface Weighed {
  dimension: number
  /** How much it is asked for. */
  weight: number
  /** How telling it is, by the documents that there are. */
  telling: number
  /** The same as Qdrant sees it; 0 when no document has it. */
  theirs: number
  /** See `QueryTerm`. */
  common: boolean
}

/** What the words of a question are worth in a document. */
export class WordScorer {
  readonly #telling: ReadonlyMap<number, number>
  readonly #weighed: readonly Weighed[]
  readonly #common: ReadonlySet<number>
  readonly #mass: number

  constructor(weighed: readonly Weighed[]) {
    this.#weighed = weighed
    this.#telling = new Map(weighed.map(({ dimension, weight, telling }) => [dimension, weight * telling]))
    this.#common = new Set(weighed.flatMap(({ dimension, common }) => (common ? dimension : [])))
    this.#mass = massToCover([...this.#telling.values()])
  }

  score(point: Point): Pick<Evidence, 'bm25' | 'coverage' | 'wordShare' | 'commonShare'> {
    let [bm25, covered, ofCommon] = [0, 0, 0]
    const { indices, values } = sparseOf(point)
    for (let at = 0; at < indices.length; at++) {
      const telling = this.#telling.get(indices[at]!)
      if (telling === undefined) continue
      bm25 += telling * values[at]!
      covered += telling
      if (this.#common.has(indices[at]!)) ofCommon += telling * values[at]!
    }
    return {
      bm25,
      coverage: coverageOf(covered, this.#mass),
      wordShare: wordShareOf(bm25, this.#mass),
      commonShare: wordShareOf(ofCommon, this.#mass),
    }
  }

  /** The question in weights that make up for what Qdrant has wrong; undefined when it has them right. */
  get corrected(): Schemas['SparseVector'] | undefined {
    const known = this.#weighed.filter(({ theirs }) => theirs > 0)
    const most = Math.max(...known.map(({ telling }) => telling))
    // All of them by the same factor is the same order.
    const factors = known.map(({ telling, theirs }) => telling / theirs)
    const factor = factors[known.findIndex(({ telling }) => telling === most)] ?? 1
    const isOff = known.some(({ telling, theirs }) => Math.abs(telling - factor * theirs) > WEIGHT_OFF * most)
    if (!isOff) return undefined
    const values = known.map(({ weight }, at) => weight * factors[at]!)
    return { indices: known.map(({ dimension }) => dimension), values }
  }
}

/** The words of a point by dimension, with what they weigh in it. */
export function wordsOf(point: Point): Map<number, number> {
  const { indices, values } = sparseOf(point)
  return new Map(indices.map((dimension, at) => [dimension, values[at]!]))
}

function sparseOf({ vector }: Point): Schemas['SparseVector'] {
  const named = vector instanceof Object && !Array.isArray(vector) ? vector[WORDS_VECTOR] : undefined
  return (named ?? { indices: [], values: [] }) as Schemas['SparseVector']
}

/** So often each score is looked at again: words that come together are told apart little by little. */
const ROUNDS = 40

/**
 * How telling Qdrant takes each word for, read back from the scores it gave: where nothing else may be asked of it. Begins with
 * a guess and is moved no further from it than the scores demand.
 */
export function tellingByScores(
  points: readonly Point[],
  guess: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const telling = new Map(guess)
  const rows = points.map((point) => ({
    score: point.score,
    words: [...wordsOf(point)].filter(([dimension]) => guess.has(dimension)),
  }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { score, words } of rows) {
      const size = words.reduce((sum, [, weight]) => sum + weight * weight, 0)
      if (size === 0) continue
      const missing = score - words.reduce((sum, [word, weight]) => sum + telling.get(word)! * weight, 0)
      for (const [word, weight] of words)
        telling.set(word, Math.max(0, telling.get(word)! + (missing * weight) / size))
    }
  }
  return telling
}
