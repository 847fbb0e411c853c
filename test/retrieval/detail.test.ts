import { describe, expect, it } from 'vitest'
import type { TokenVectors } from '../../src/embedding/embedder.ts'
import { packSections, sectionOf } from '../../src/retrieval/detail/sections.ts'
import { likenessByTokens, sketchTokens, TokenLikeness } from '../../src/retrieval/detail/tokens.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

describe('the sections of a detail', () => {
  it.each([
    { sections: { tokens: bytes(1, 2, 3) } },
    { sections: { parts: bytes(9), tokens: bytes(1, 2, 3) } },
    { sections: { parts: bytes(7, 7) } },
  ])('come back as they were written: $sections', ({ sections }) => {
    const detail = packSections(sections)
    const { parts, tokens } = sections as { parts?: Uint8Array; tokens?: Uint8Array }
    expect(sectionOf(detail, 'parts')).toEqual(parts)
    expect(sectionOf(detail, 'tokens')).toEqual(tokens)
  })

  it('are none where there is nothing to say', () => {
    expect(packSections({ tokens: bytes() })).toBeUndefined()
    expect(sectionOf(undefined, 'tokens')).toBeUndefined()
  })

  it('count as none when the bytes are cut, or of another version', () => {
    const detail = packSections({ parts: bytes(1, 2), tokens: bytes(3, 4, 5) })!
    for (let length = 0; length < detail.length; length++)
      expect(sectionOf(detail.slice(0, length), 'tokens')).toBeUndefined()
    const other = detail.slice()
    other[0] = 99
    expect(sectionOf(other, 'tokens')).toBeUndefined()
  })
})

describe('comparing token by token', () => {
  const random = generator(11)
  const dimensions = 160
  /** Dimensions beyond these are added to the first ones. */
  const bits = 128
  const tokensOf = (count: number): TokenVectors => {
    const vectors = Float32Array.from({ length: count * dimensions }, () => random() - 0.5)
    for (let token = 0; token < count; token++) {
      const one = vectors.subarray(token * dimensions, (token + 1) * dimensions)
      const length = Math.hypot(...one)
      for (const [at, value] of one.entries()) one[at] = value / length
    }
    return { weights: Float32Array.from({ length: count }, () => 0.2 + random()), vectors }
  }

  const nearnessByTokens = (...asked: Parameters<typeof likenessByTokens>) =>
    likenessByTokens(...asked).map((likeness) => likeness?.nearness())

  it('takes for each token of the question the nearest of the document', () => {
    const question = tokensOf(5)
    const documents = [3, 1, 12, 7].map(tokensOf)
    const found = nearnessByTokens(question, documents.map(sketchTokens))
    for (const [at, document] of documents.entries())
      expect(found[at]).toBeCloseTo(plainNearness(question, document), 5)
  })

  it('finds the document that has the very same tokens', () => {
    const documents = [tokensOf(6), tokensOf(6), tokensOf(6)]
    const found = nearnessByTokens(documents[1]!, documents.map(sketchTokens)) as number[]
    expect(found.indexOf(Math.max(...found))).toBe(1)
    expect(found[1]).toBeGreaterThan(0.7)
  })

  it('looks for each token in the documents around, too, where it counts less', () => {
    const likeness = (...nearest: number[]) =>
      new TokenLikeness(Float32Array.from(nearest), Float32Array.of(0.75, 0.25))
    const own = likeness(0.5, 0.25)
    const other = likeness(0.25, 0.75)
    expect(own.nearness()).toBe(0.4375)
    expect(own.nearness([{ likeness: other, less: 0 }])).toBe(0.75 * 0.5 + 0.25 * 0.75)
    expect(own.nearness([{ likeness: other, less: 0.25 }])).toBe(0.75 * 0.5 + 0.25 * 0.5)
    expect(own.nearness([{ likeness: other, less: 1 }])).toBe(own.nearness())
    const both = [other, likeness(1, 0)].map((one) => ({ likeness: one, less: 0.25 }))
    expect(own.nearness(both)).toBe(0.75 * 0.75 + 0.25 * 0.5)
  })

  it('says nothing of a document without sketches, or with bytes that cannot be some', () => {
    const document = sketchTokens(tokensOf(4))
    const found = nearnessByTokens(tokensOf(2), [undefined, document, document.slice(0, 5), bytes()])
    expect(found.map((one) => one === undefined)).toEqual([true, false, true, true])
  })

  it('says nothing at all of a question without telling tokens', () => {
    const nothing = { weights: new Float32Array(), vectors: new Float32Array() }
    expect(nearnessByTokens(nothing, [sketchTokens(tokensOf(3))])).toEqual([undefined])
  })

  function folded(vectors: Float32Array, token: number, bit: number): number {
    const own = vectors.subarray(token * dimensions, (token + 1) * dimensions)
    return own.reduce((sum, value, at) => (at % bits === bit ? sum + value : sum), 0)
  }

  function plainNearness(question: TokenVectors, document: TokenVectors): number {
    let [sum, mass] = [0, 0]
    for (const [asked, weight] of question.weights.entries()) {
      let nearest = Number.NEGATIVE_INFINITY
      for (let token = 0; token < document.weights.length; token++) {
        let [product, squares] = [0, 0]
        for (let bit = 0; bit < bits; bit++) {
          const value = folded(question.vectors, asked, bit)
          product += folded(document.vectors, token, bit) > 0 ? value : -value
          squares += value * value
        }
        nearest = Math.max(nearest, product / Math.sqrt(squares * bits))
      }
      sum += weight * nearest
      mass += weight
    }
    return sum / mass
  }
})

function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
