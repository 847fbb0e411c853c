import { describe, expect, it } from 'vitest'
import { matches } from '../../src/search-index/filter.ts'
import type { Condition } from '../../src/search-index/query.ts'
import type { Json } from '../../src/search-index/search-index.ts'
import { SketchScorer, sketchOf } from '../../src/search-index/sketch.ts'
import { best } from '../../src/search-index/sqlite/best.ts'
import { FacetsWriter, passingSlots, withoutSlots } from '../../src/search-index/sqlite/facets.ts'
import { packPostings, readPostings } from '../../src/search-index/sqlite/postings.ts'
import {
  asFloats,
  cosineWith,
  packVector,
  unpackVector,
} from '../../src/search-index/sqlite/rounded-vector.ts'
import { unitVector } from '../../src/search-index/vectors.ts'
import fc from '../support/fast-check.ts'

/** What is packed says the same as what was put in. */

describe('postings', () => {
  const term = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 0xffffffff }))
  const documents = fc.array(fc.dictionary(term.map(String), fc.integer({ min: 1, max: 255 })), {
    maxLength: 300,
  })

  it('come back term by term, document by document', () => {
    fc.assert(
      fc.property(documents, (texts) => {
        const put = texts.flatMap((text, slot) =>
          Object.entries(text).map(([hash, weight]) => `${hash} ${slot} ${weight}`),
        )
        const terms = texts.map((text) => {
          const hashes = Object.keys(text)
            .map(Number)
            .sort((a, b) => a - b)
          return {
            hashes: Uint32Array.from(hashes),
            weights: Uint8Array.from(hashes, (hash) => text[String(hash)]!),
          }
        })
        const got: string[] = []
        let last = -1
        for (const [hash, postings] of packPostings(terms)) {
          expect(hash).toBeGreaterThan(last)
          last = hash
          readPostings(postings, (slot, weight) => got.push(`${hash} ${slot} ${weight}`))
        }
        expect(got.sort()).toEqual(put.sort())
      }),
    )
  })
})

describe('best', () => {
  it('finds what sorting would find, equals decided by their tie-break', () => {
    const entry = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean())
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (entries, count) => {
        const scores = Float32Array.from(entries, ([score]) => score)
        const tieBreaks = Uint32Array.from(entries, (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 0)
        const found = best(scores, (at) => entries[at]![1], tieBreaks, count)
        const sorted = [...entries.keys()]
          .filter((at) => entries[at]![1])
          .sort((a, b) => scores[b]! - scores[a]! || tieBreaks[a]! - tieBreaks[b]!)
          .slice(0, count)
        expect(found.sort((a, b) => a - b)).toEqual(sorted.sort((a, b) => a - b))
      }),
    )
  })
})

describe('rounded vectors', () => {
  const unit = (values: readonly number[]) => unitVector(Float32Array.from(values), values.length)
  const components = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 33 })

  it('are the same when they are read and stored again', () => {
    fc.assert(
      fc.property(components, (values) => {
        const packed = packVector(unit(values))
        const read = unpackVector(packed, values.length)!
        expect(packVector(asFloats(read))).toEqual(packed)
      }),
    )
  })

  it('differ from the true cosine by less than anybody sees', () => {
    fc.assert(
      fc.property(components, components, (values, others) => {
        const length = Math.min(values.length, others.length)
        const [one, other] = [unit(values.slice(0, length)), unit(others.slice(0, length))]
        const expected = one.reduce((sum, value, at) => sum + value * other[at]!, 0)
        expect(cosineWith(unpackVector(packVector(one), length)!, other)).toBeCloseTo(expected, 3)
      }),
    )
  })
})

describe('sketches', () => {
  it.each([1, 7, 8, 384])('of %i dimensions score the question against the signs', (dimensions) => {
    const vector = (seed: number) =>
      Float32Array.from({ length: dimensions }, (_, at) => Math.sin(seed + at * 1.7))
    const question = vector(1)
    const stored = [vector(2), vector(3), vector(4)]
    const scores = new Float32Array(4)
    const sketches = Uint8Array.from(stored.flatMap((one) => [...sketchOf(one)]))
    new SketchScorer(question).score(sketches, Uint8Array.of(1, 1, 0, 1), scores, 1)
    const expected = stored.map((one) =>
      one.reduce((sum, x, at) => sum + (x > 0 ? 1 : -1) * question[at]!, 0),
    )
    expect(scores[1]).toBeCloseTo(expected[0]!, 4)
    expect(scores[2]).toBe(0) // not allowed
    expect(scores[3]).toBeCloseTo(expected[2]!, 4)
  })
})

describe('facets', () => {
  const scalar = fc.oneof(
    fc.constantFrom('a', 'b', '2026-03-01T00:00:00Z'),
    fc.integer({ min: -3, max: 12 }),
    fc.boolean(),
  )
  const value: fc.Arbitrary<Json | undefined> = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 4 }),
    fc.constantFrom(null, undefined, { nested: 'a' }),
  )
  const condition: fc.Arbitrary<Condition> = fc.oneof(
    fc.record({ in: fc.array(scalar, { maxLength: 3 }) }),
    fc.record({ notIn: fc.array(scalar, { maxLength: 3 }) }),
    fc.record({ from: fc.integer({ min: -3, max: 12 }) }),
    fc.record({ from: fc.constantFrom('a', 'b'), to: fc.constantFrom('a', '3') }),
    fc.record({ from: fc.integer({ min: -3, max: 5 }), to: fc.integer({ min: 3, max: 12 }) }),
  )
  const homogeneous = fc.oneof(
    fc.array(fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constant(undefined))),
    fc.array(fc.constantFrom('a', 'b', undefined)),
  )

  it('pass exactly the documents that the condition passes, also after some were removed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(value), homogeneous), condition, (values, wanted) => {
        const writer = new FacetsWriter()
        for (const [slot, one] of values.entries()) writer.add(slot, one)
        const expected = values.map((one) => (matches(one, wanted) ? 1 : 0))
        expect([...passingSlots(writer.facets(), wanted, values.length)]).toEqual(expected)

        const removed = new Set([...values.keys()].filter((slot) => slot % 3 === 0))
        const left = withoutSlots(writer.facets(), removed)
        const kept = expected.map((pass, slot) =>
          removed.has(slot) ? (matches(undefined, wanted) ? 1 : 0) : pass,
        )
        expect([...passingSlots(left, wanted, values.length)]).toEqual(kept)
      }),
      { numRuns: 500 },
    )
  })
})
