import type { CollectionEvidence } from '../../retrieval/collection.ts'
import type { ExchangeHit } from '../documents.ts'
import type { ExchangePlaces } from './exchange-places.ts'

/** An exchange that was found, with why. */
export interface CandidateExchange {
  hit: ExchangeHit
  evidence: CollectionEvidence
}

/** How much each kind of evidence counts; chosen as those of `rank.ts`. */
const WEIGHTS = {
  words: 0.5,
  coverage: 1,
  /** Of a candidate that was compared by one vector alone. */
  meaning: 0.8,
  /** Of one that was compared token by token, too, which tells more. */
  compared: { meaning: 0.6, nearness: 1.4 },
} as const

/**
 * What is asked about is rarely said in one turn: what one names, the next tells more of. So the tokens of a question are
 * looked for in the exchanges around as well, where they count so much less: next to it, next to those, and once further.
 */
const LESS_AROUND = [0.1, 0.15, 0.2] as const

/** Nearness by tokens, with those around: of each candidate that has been compared that way. */
export function nearnessOfAll(
  found: readonly CandidateExchange[],
  places: ExchangePlaces<CandidateExchange>,
): Map<string, number> {
  const nearness = new Map<string, number>()
  for (const one of found) {
    const { id, likeness } = one.evidence
    if (!likeness) continue
    const around = LESS_AROUND.flatMap((less, index) =>
      places
        .around(one, index + 1)
        .flatMap(({ evidence }) => (evidence.likeness ? { likeness: evidence.likeness, less } : [])),
    )
    nearness.set(id, likeness.nearness(around))
  }
  return nearness
}

/** Words and meaning on one scale, relative to the best and the ordinary candidate of this very search. */
export function strengths(
  evidence: readonly CollectionEvidence[],
  nearness: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const strongest = evidence.reduce((highest, { bm25 }) => Math.max(highest, bm25), 0)
  const byVector = relative(evidence.flatMap(({ cosine }) => cosine ?? []))
  const byTokens = relative([...nearness.values()])
  return new Map(
    evidence.map(({ id, bm25, coverage, cosine }) => {
      const words = strongest > 0 ? WEIGHTS.words * (bm25 / strongest) + WEIGHTS.coverage * coverage : 0
      const { compared } = WEIGHTS
      const near = nearness.get(id)
      const meaning =
        near === undefined
          ? WEIGHTS.meaning * byVector(cosine)
          : compared.meaning * byVector(cosine) + compared.nearness * byTokens(near)
      return [id, words + meaning]
    }),
  )
}

/** 0 for the ordinary of these values and what lies below, 1 for the highest. */
function relative(values: readonly number[]): (value: number | undefined) => number {
  const sorted = values.toSorted((a, b) => a - b)
  const ordinary = sorted[Math.floor(sorted.length / 2)] ?? 0
  const span = Math.max(1e-6, (sorted.at(-1) ?? 0) - ordinary)
  return (value) => (value === undefined ? 0 : Math.max(0, (value - ordinary) / span))
}
