import { describe, expect, it } from 'vitest'
import { askedHeadline, encodeHeadline, headlinesAlike } from '../../src/retrieval/detail/headline.ts'
import { packSections, sectionOf } from '../../src/retrieval/detail/sections.ts'
import { askedPairs, encodePairs, pairsFound } from '../../src/retrieval/detail/word-pairs.ts'
import fc from '../support/fast-check.ts'

describe('neighbouring words', () => {
  const shared = (document: string, question: string) =>
    pairsFound(encodePairs(document), askedPairs(question))

  it('are found where they stand together in that order, in whatever form', () => {
    expect(shared('the connection pools were closing idle sockets', 'closed idle socket')).toEqual([0, 1])
    expect(shared('a socket that idles is closed', 'closed idle socket')).toEqual([])
    expect(shared('calls LoginForm.submit twice', 'login form')).toEqual([0])
  })

  it('are none in an empty text, a single word or the same word again', () => {
    for (const text of ['', 'word', 'word word word']) expect(askedPairs(text)).toEqual([])
    expect(shared('', 'closed idle socket')).toEqual([])
  })

  it('are read wherever in a detail they lie', () => {
    const texts = fc.array(fc.string({ maxLength: 60 }), { maxLength: 3 })
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 9 }), texts, (parts, said) => {
        const text = ['closed idle socket', ...said].join('\n')
        const pairs = sectionOf(packSections({ parts, pairs: encodePairs(text) }), 'pairs')!
        expect(pairsFound(pairs, askedPairs(text))).toHaveLength(askedPairs(text).length)
      }),
    )
  })

  it('of a pasted log are no more than its beginning brings', () => {
    const log = Array.from({ length: 50_000 }, (_, at) => `line${at} failed${at}`).join('\n')
    expect(askedPairs(log).length).toBeLessThanOrEqual(256)
  })
})

describe('headlines', () => {
  const alike = (one: string, other: string) => headlinesAlike(encodeHeadline(one), askedHeadline(other))

  it('are the same up to case and punctuation, and alike with other names and forms of words in them', () => {
    expect(alike('Cannot find module "x"', 'cannot find module x')).toBe(1)
    const sameFailure = alike('this loop never actually loops', 'checks for loops that never loop')
    expect(sameFailure).toBeGreaterThan(alike('this import is redundant', 'checks for loops that never loop'))
  })

  it('are in no way alike where one says nothing', () => {
    expect(alike('', '')).toBe(0)
    expect(alike('→ …', 'cannot find module')).toBe(0)
  })
})
