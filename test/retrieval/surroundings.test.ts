import { describe, expect, it } from 'vitest'
import { MEASURED } from '../../src/embedding/calibration.ts'
import type { Examined } from '../../src/retrieval/examine.ts'
import { rankHits } from '../../src/retrieval/ranking.ts'
import { inItsSurroundings, saidBySurroundings } from '../../src/retrieval/surroundings.ts'
import fc from '../support/fast-check.ts'

const options = { calibration: MEASURED, limit: 20, minScore: 0.4 }

/** By meaning alone, the first of them the best. */
function shown(cosines: readonly number[], among = 72): string[] {
  const candidates = cosines.map(
    (cosine, at): Examined => ({
      ...{ id: `${at}`, payload: {}, cosine, among },
      ...{ bm25: 0, coverage: 0, wordShare: 0, commonShare: 0 },
    }),
  )
  return rankHits(candidates, options).map(({ id }) => id)
}
const others = (cosine: number, count = 30) => new Array<number>(count).fill(cosine)

describe('what stands around the best hit', () => {
  it('silences a weak one that hardly stands out from what is far from the question', () => {
    expect(shown([0.36, ...others(0.25)])).toEqual([])
  })

  it('lets one speak that stands out, or whose neighbours are about the same matter', () => {
    expect(shown([0.36, ...others(0.05)])).toEqual(['0'])
    expect(shown([0.45, ...others(0.44)])).toContain('0')
  })

  it('does not touch one that is well beyond chance', () => {
    const alone = rankHits([{ ...strong, id: 'a' }], options)[0]!.score
    const crowd = others(0.25).map((cosine, at) => ({ ...strong, id: `b${at}`, cosine }))
    expect(rankHits([{ ...strong, id: 'a' }, ...crowd], options)[0]!.score).toBe(alone)
  })

  it('is not asked where there are few documents, or none to compare with', () => {
    const found = others(0.2).map((meaning) => ({ meaning, likeness: meaning }))
    expect(saidBySurroundings(found, 72)).toBeLessThan(-0.1)
    expect(saidBySurroundings(found.slice(0, 5), 72)).toBe(0)
    expect(saidBySurroundings(found, 8)).toBeCloseTo(0)
  })

  it('expects more the more documents there are, among which something always stands out', () => {
    const found = [0.6, ...others(0.4)].map((meaning) => ({ meaning, likeness: meaning }))
    const said = [20, 72, 311, 1_000].map((among) => saidBySurroundings(found, among))
    expect(said).toEqual(said.toSorted((a, b) => b - a))
    expect(said.at(-1)!).toBeLessThan(said[0]!)
    expect(saidBySurroundings(found, 10_000)).toBe(said.at(-1))
  })

  it('never changes the order, and leaves nothing at nothing', () => {
    const likeness = fc.double({ min: 0, max: 1, noNaN: true })
    const said = fc.double({ min: -0.19, max: 0.07, noNaN: true })
    const chance = fc.double({ min: 0.27, max: 0.61, noNaN: true })
    fc.assert(
      fc.property(likeness, likeness, said, chance, (one, other, said, chance) => {
        const [weak, strong] = [Math.min(one, other), Math.max(one, other)]
        const [low, high] = [weak, strong].map((value) => inItsSurroundings(value, said, chance))
        expect(low!).toBeLessThanOrEqual(high! + 1e-12)
        if (weak > 0) expect(low!).toBeGreaterThan(0)
        expect(high!).toBeLessThanOrEqual(1)
      }),
    )
  })
})

const strong: Examined = {
  ...{ id: '', payload: {}, cosine: 0.7, among: 72 },
  ...{ bm25: 0, coverage: 0, wordShare: 0, commonShare: 0 },
}
