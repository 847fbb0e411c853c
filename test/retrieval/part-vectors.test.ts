import { describe, expect, it } from 'vitest'
import { encodeParts, nearestOf } from '../../src/retrieval/detail/part-vectors.ts'
import { sectionOf } from '../../src/retrieval/detail/sections.ts'
import { embedDrafts } from '../../src/retrieval/embed-drafts.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import fc from '../support/fast-check.ts'

function unit(...values: number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

describe('parts of a document', () => {
  const question = unit(1, 0, 0, 0)
  const near = (cosine: number) => unit(cosine, Math.sqrt(1 - cosine * cosine), 0, 0)

  it('bring a document most of the way to what it says in short', () => {
    const parts = encodeParts({ inShort: [near(0.2), near(0.8)], pieces: [] })
    expect(nearestOf(0.4, parts, question)).toBeCloseTo(0.68, 2)
  })

  it('bring a document halfway to its best piece', () => {
    const parts = encodeParts({ inShort: [], pieces: [near(0.1), near(0.8), near(0.3)] })
    expect(nearestOf(0.4, parts, question)).toBeCloseTo(0.6, 2)
  })

  it('never push it away', () => {
    const parts = encodeParts({ inShort: [near(-0.5)], pieces: [near(-1)] })
    expect(nearestOf(0.4, parts, question)).toBeCloseTo(0.4, 5)
    expect(nearestOf(0.4, encodeParts({ inShort: [], pieces: [] }), question)).toBe(0.4)
  })

  it('leave the decision to the whole between two with the same title', () => {
    const title = encodeParts({ inShort: [near(0.9)], pieces: [] })
    expect(nearestOf(0.5, title, question)).toBeGreaterThan(nearestOf(0.3, title, question))
  })

  it('are exact to a hundredth', () => {
    const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        fc.pre(Math.hypot(...a) > 0.1 && Math.hypot(...b) > 0.1)
        const [one, other] = [unit(...a), unit(...b)]
        const cosine = one.reduce((sum, value, at) => sum + value * other[at]!, 0)
        const nearest = nearestOf(-1, encodeParts({ inShort: [], pieces: [one] }), other)
        expect(Math.abs(nearest - (cosine - 1) / 2)).toBeLessThan(0.01)
      }),
    )
  })

  it('are embedded with their documents, in order, and counted with them', async () => {
    const embedder = new FakeEmbedder()
    const draft = (embedded: string, parts?: { inShort: string[]; pieces: string[] }) => ({
      ...{ id: embedded, embedded, searched: embedded, textHash: '', payload: () => ({}) },
      ...(parts && { parts }),
    })
    const counts: number[] = []
    const made = await embedDrafts(
      embedder,
      [
        draft('first', { inShort: ['a title'], pieces: ['one piece', 'another piece'] }),
        draft('second'),
        draft('third', { inShort: [], pieces: [] }),
      ],
      { onEmbedded: (count) => counts.push(count) },
    )
    const vectors = await embedder.embed(['first', 'second', 'third', 'a title'], 'document')
    expect(made.map(({ vector }) => vector)).toEqual(vectors.slice(0, 3))
    expect(made.map(({ detail }) => detail !== undefined)).toEqual([true, false, false])
    const parts = sectionOf(made[0]!.detail, 'parts')!
    expect(nearestOf(1, parts, vectors[3]!)).toBeGreaterThan(0.95)
    expect(nearestOf(0, parts, vectors[3]!)).toBeGreaterThan(0.65)
    expect(counts.at(-1)).toBe(3)
  })
})
