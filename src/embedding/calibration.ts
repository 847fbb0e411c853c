import type { Calibration } from './embedder.ts'

/**
 * Measured with all-MiniLM-L6-v2 on four public collections (docs/decisions/embedding.md has the table):
 * 0.4 is reached by one unrelated text in a hundred, 0.55 by one in eight from the same project, 0.7 by one in
 * forty; from 0.7 on, the score is about the share of best hits that are right.
 */
export const MEASURED: Calibration = [
  [0, 0],
  [0.25, 0.4],
  [0.38, 0.55],
  [0.5, 0.7],
  [0.58, 0.75],
  [0.75, 0.9],
  [1, 1],
]

/**
 * How much of the graded notes lies below each of those cosines with the model that `MEASURED` was measured with: of pairs that
 * belong together and of those that do not, each counted as one half.
 */
const MEASURED_SHARES = [0.126, 0.6226, 0.7283, 0.789, 0.8445, 0.9117]

/**
 * Where another model's cosines lie, by what it says of the graded notes: a score is reached by as many of them as with the
 * model that was measured at length. So it neither matters from where to where a model's cosines go, nor how they are spread.
 */
export function calibrationBy(
  questions: readonly Float32Array[],
  notes: readonly Float32Array[],
): Calibration {
  const pairs = pointsOf(questions, notes)
  const points = MEASURED.slice(0, -1).map(
    ([, score], at) => [cosineAt(MEASURED_SHARES[at]!, pairs), score] as const,
  )
  return [...rising(points), [1, 1]]
}

/** While a model could not be measured: the measured curve above what unrelated texts reach with a model that is neither wide nor narrow. */
export const UNMEASURED: Calibration = MEASURED.map(
  ([cosine, score]) => [1 - (1 - cosine) * 0.75, score] as const,
)

interface Point {
  cosine: number
  /** Of all pairs, how many lie below. */
  share: number
}

function pointsOf(questions: readonly Float32Array[], notes: readonly Float32Array[]): Point[] {
  const perNote = questions.length / notes.length
  const pairs = questions.flatMap((question, asked) =>
    notes.map((note, at) => ({ cosine: dot(question, note), belongs: Math.floor(asked / perNote) === at })),
  )
  const [together, apart] = [questions.length, pairs.length - questions.length]
  let below = 0
  return pairs
    .sort((a, b) => a.cosine - b.cosine)
    .map(({ cosine, belongs }) => {
      const weight = 0.5 / (belongs ? together : apart)
      below += weight
      return { cosine, share: below - weight / 2 }
    })
}

/** The cosine that such a share of the pairs lies below, on the straight line between the two around it. */
function cosineAt(share: number, points: readonly Point[]): number {
  const after = points.findIndex((point) => point.share >= share)
  const [from, to] = [points[Math.max(0, after - 1)]!, points.at(after)!]
  if (to.share <= from.share) return to.cosine
  return from.cosine + ((share - from.share) / (to.share - from.share)) * (to.cosine - from.cosine)
}

/** A model that finds much alike puts points into one place; they are kept apart, below 1. */
function rising(points: readonly (readonly [cosine: number, score: number])[]): Calibration {
  const step = 0.001
  let least = Number.NEGATIVE_INFINITY
  return points.map(([cosine, score], at) => {
    least = Math.max(least + step, Math.min(cosine, 1 - step * (points.length - at)))
    return [least, score] as const
  })
}

/** A cosine on the product's score scale, 0 to 1. */
export function calibrated(cosine: number, calibration: Calibration): number {
  let [fromCosine, fromScore] = [-1, 0]
  for (const [toCosine, toScore] of calibration) {
    if (cosine < toCosine) {
      const share = (cosine - fromCosine) / (toCosine - fromCosine)
      return Math.max(0, fromScore + share * (toScore - fromScore))
    }
    ;[fromCosine, fromScore] = [toCosine, toScore]
  }
  return fromScore
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0)
}
