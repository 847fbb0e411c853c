import { expect } from 'vitest'
import type { Hit } from '../../src/retrieval/fusion.ts'
import fc from '../support/fast-check.ts'

/** Whatever comes in: at most as many as are wanted, the best first, each for a reason, and the same in any order. */
export function expectSoundRanking<Candidate extends { id: string }>(
  candidate: fc.Arbitrary<Candidate>,
  rank: (candidates: Candidate[], limit: number) => Hit[],
): void {
  fc.assert(
    fc.property(
      fc.uniqueArray(candidate, { selector: ({ id }) => id }),
      fc.integer({ min: 1, max: 9 }),
      (all, limit) => {
        const hits = rank(all, limit)
        expect(hits.length).toBeLessThanOrEqual(limit)
        for (const [at, hit] of hits.entries()) {
          expect(hit.score).toBeGreaterThan(0)
          expect(hit.score).toBeLessThanOrEqual(1)
          expect(hit.matched.length).toBeGreaterThan(0)
          if (at > 0) expect(hit.score).toBeLessThanOrEqual(hits[at - 1]!.score)
        }
        expect(rank(all.toReversed(), limit)).toEqual(hits)
      },
    ),
  )
}
