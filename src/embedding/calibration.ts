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
 * The same scores with what the model has learnt (model/README.md): between where as many unrelated texts, texts of the same project and
 * right ones lie above as above those, which differ by up to 0.06 (docs/decisions/embedding.md).
 */
export const ADAPTED: Calibration = [
  [0.03, 0],
  [0.285, 0.4],
  [0.4, 0.55],
  [0.48, 0.7],
  [0.56, 0.75],
  [0.752, 0.9],
  [1, 1],
]

/**
 * How much of the graded notes lies below each of those cosines with the model that `MEASURED` was measured with: of pairs that
 * belong together and of those that do not, each counted as one half.
 */
const MEASURED_SHARES = [0.126, 0.6226, 0.7283, 0.789, 0.8445, 0.9117]
/** The same of those pairs alone that do not belong together, as far as any of them come: of the scores 0.4 and 0.55. */
const UNRELATED_SHARES: readonly (readonly [at: number, share: number])[] = [
  [1, 0.974],
  [2, 0.997],
]
/** A pair that belongs together is closer than one that does not: in one case of two by chance, in 95 of 100 with that model. */
const TELLS_APART = 0.55

/** Of a model that finds everything alike, or nothing: what it says counts for nothing, and words decide. */
export const TELLS_NOTHING: Calibration = [
  [-1, 0],
  [1, 0],
]

/**
 * Where another model's cosines lie, by what it says of the graded notes: a score is reached by as many of them as with the
 * model that was measured at length. So it neither matters from where to where a model's cosines go, nor how they are spread.
 * With a model that tells less, the scores also lie where as few unrelated texts reach them: it finds less, and nothing unrelated more.
 */
export function calibrationBy(
  questions: readonly Float32Array[],
  notes: readonly Float32Array[],
): Calibration {
  const pairs = pointsOf(questions, notes)
  if (closerShare(pairs) < TELLS_APART) return TELLS_NOTHING
  const places = MEASURED_SHARES.map((share) => cosineAt(share, pairs))
  const apart = withShares(pairs.filter(({ belongs }) => !belongs))
  for (const [at, share] of UNRELATED_SHARES) places[at] = Math.max(places[at]!, cosineAt(share, apart))
  const points = keptAbove(places).map((place, at) => [place, MEASURED[at]![1]] as const)
  return [...rising(points), [1, 1]]
}

/** While a model could not be measured: the measured curve above what unrelated texts reach with a model that is neither wide nor narrow. */
export const UNMEASURED: Calibration = MEASURED.map(
  ([cosine, score]) => [1 - (1 - cosine) * 0.75, score] as const,
)

interface Point {
  cosine: number
  /** Whether note and question belong together. */
  belongs: boolean
  /** Of all pairs, how many lie below. */
  share: number
}

function pointsOf(questions: readonly Float32Array[], notes: readonly Float32Array[]): Point[] {
  const perNote = questions.length / notes.length
  const pairs = questions.flatMap((question, asked) =>
    notes.map((note, at) => ({ cosine: dot(question, note), belongs: Math.floor(asked / perNote) === at })),
  )
  return withShares(pairs)
}

/** Sorted, with those that belong together and those that do not counted as one half each, where there are both. */
function withShares(pairs: readonly Omit<Point, 'share'>[]): Point[] {
  const together = pairs.filter(({ belongs }) => belongs).length
  const apart = pairs.length - together
  const kinds = Math.sign(together) + Math.sign(apart)
  let below = 0
  return pairs
    .toSorted((a, b) => a.cosine - b.cosine)
    .map(({ cosine, belongs }) => {
      const weight = 1 / kinds / (belongs ? together : apart)
      below += weight
      return { cosine, belongs, share: below - weight / 2 }
    })
}

/** Of all pairs that belong together, beside all that do not: how many are closer. They come sorted; equally close is half. */
function closerShare(points: readonly Point[]): number {
  const [together, apart] = [true, false].map((which) => points.filter(({ belongs }) => belongs === which))
  const wins = together!.flatMap(({ cosine }) =>
    apart!.map((other) => (cosine > other.cosine ? 1 : cosine === other.cosine ? 0.5 : 0)),
  )
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length
}

/** Where the score 0.55 lies higher than those above it, these keep their part of what is left below 1. */
function keptAbove(places: readonly number[]): number[] {
  const [from] = UNRELATED_SHARES.at(-1)!
  const [start, lowest] = [MEASURED[from]![0], places[from]!]
  if (places[from + 1]! > lowest) return [...places]
  return places.map((place, at) => {
    const part = (MEASURED[at]![0] - start) / (1 - start)
    return at <= from ? place : Math.max(place, lowest + part * (1 - lowest))
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
