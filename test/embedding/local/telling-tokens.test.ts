import { describe, expect, it } from 'vitest'
import { tellingTokens } from '../../../src/embedding/local/telling-tokens.ts'

const DIMENSIONS = 384
/** By their place in the vocabulary: a word of every sentence, and one of few. */
const [COMMON, RARE, MARK] = [1_996, 29_000, 1_012]
const MOST = 52

/** Each token means a dimension of its own, so that a vector tells which ones it stands for. */
function told(tokens: readonly number[], kind: 'document' | 'query') {
  const hidden = new Float32Array(tokens.length * DIMENSIONS)
  for (const at of tokens.keys()) hidden[at * DIMENSIONS + at] = 3
  const { weights, vectors } = tellingTokens(tokens, hidden, new Set([MARK]), kind)
  const standsFor = Array.from(weights, (_, one) => {
    const own = vectors.subarray(one * DIMENSIONS, (one + 1) * DIMENSIONS)
    return [...own.keys()].filter((at) => own[at]! > 0)
  })
  return { weights, vectors, standsFor }
}

describe('the tokens that a text is compared by', () => {
  it('are all of a short one but marks, each by itself', () => {
    const { standsFor } = told([MARK, COMMON, RARE, MARK, COMMON], 'document')
    expect(standsFor).toEqual([[1], [2], [4]])
  })

  it('are of a long one as many as may be, its telling ones by themselves and common neighbours together', () => {
    const tokens = Array.from({ length: 90 }, (_, at) => (at % 3 === 0 ? RARE : COMMON))
    const { standsFor, vectors } = told(tokens, 'document')
    expect(standsFor).toHaveLength(MOST)
    expect(standsFor.flat()).toEqual([...tokens.keys()])
    const rare = standsFor.filter((group) => group.some((at) => tokens[at] === RARE))
    expect(rare.filter((group) => group.length === 1)).toHaveLength(22)
    expect(Math.max(...standsFor.map(({ length }) => length))).toBeLessThanOrEqual(3)
    expect(Math.hypot(...vectors.subarray(0, DIMENSIONS))).toBeCloseTo(1, 5)
  })

  it('are of a question all, the most telling first', () => {
    const { standsFor, weights } = told([COMMON, RARE, COMMON, RARE], 'query')
    expect(standsFor).toEqual([[1], [3], [0], [2]])
    expect([...weights]).toEqual([...weights].toSorted((a, b) => b - a))
  })
})
