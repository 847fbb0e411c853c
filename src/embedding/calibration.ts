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

/** Median cosine of the texts in `UNRELATED` with the model that `MEASURED` was measured with. */
const MEASURED_FLOOR = 0.067

/**
 * Models differ above all in how similar they find texts that have nothing in common: 0.0 with some, 0.7 with
 * others. From that floor to 1 their scales are much alike, so the measured curve is squeezed into what is left.
 */
export function calibrationAbove(floor: number): Calibration {
  const stretch = (1 - floor) / (1 - MEASURED_FLOOR)
  return MEASURED.map(([cosine, score]) => [1 - (1 - cosine) * stretch, score] as const)
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

/** Texts of a kind that this product handles, none of which has anything to do with another. */
export const UNRELATED = {
  queries: [
    'how do we keep people signed in',
    'pictures are missing on phones',
    'which library draws the charts',
    'invoices were sent twice',
    'the nightly build is red',
    'why was the search so slow',
  ],
  documents: [
    'Renamed the colour variables of the dark theme and removed the unused style sheet.',
    'The importer reads spreadsheets with a byte order mark and keeps accented names intact.',
    'Moved the staging cluster to smaller machines and switched it off over night.',
    'Added a confirmation dialog before an address book entry is deleted.',
    'The printer driver needs the paper size in millimetres, not in inches.',
    'Volunteers translated the help pages into Finnish and Portuguese.',
  ],
}

export function floorOf(queries: readonly Float32Array[], documents: readonly Float32Array[]): number {
  const cosines = queries
    .flatMap((query) => documents.map((document) => dot(query, document)))
    .sort((a, b) => a - b)
  return cosines[Math.floor(cosines.length / 2)] ?? 0
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0)
}
