import { describe, expect, it } from 'vitest'
import { missedFloors } from './floors.ts'
import { abstentionOf } from './grading/abstention.ts'
import { estimate, estimateMean } from './grading/bootstrap.ts'
import { halfOf, sample } from './grading/halves.ts'
import { hitAt, recallAt, reciprocalRank } from './grading/measures.ts'
import { PlainBm25 } from './references/bm25.ts'
import type { Found } from './shape.ts'

const found = (...places: string[][]): Found[] => places.map((ids) => ({ ids, score: 1 }))
const question = (...relevant: string[]) => ({ text: 'which one', relevant })

describe('measures', () => {
  it('grade the place of the first right one', () => {
    expect(reciprocalRank().grade(found(['a'], ['b']), question('b', 'c'))).toBe(1 / 2)
    expect(reciprocalRank().grade(found(['a']), question('b'))).toBe(0)
    expect(hitAt(1).grade(found(['a'], ['b']), question('b'))).toBe(0)
    expect(hitAt(2).grade(found(['a'], ['b']), question('b'))).toBe(1)
  })

  it('count whatever a place brings along against the places', () => {
    const exchanges = found(['1', '2'], ['3', '4'], ['5', '6'])
    expect(recallAt(3).grade(exchanges, question('3', '4'))).toBe(1 / 2)
    expect(recallAt(4).grade(exchanges, question('3', '4'))).toBe(1)
  })
})

describe('halves', () => {
  // sha256('a') begins with c, sha256('c') with 2.
  it('go by the hash of the question', () => {
    expect(halfOf('a')).toBe('reporting')
    expect(halfOf('c')).toBe('choosing')
  })

  it('are both in a sample', () => {
    const questions = Array.from({ length: 400 }, (_, at) => `question ${at}`)
    const some = sample(questions, 100, (text) => text)
    expect(sample(questions.toReversed(), 100, (text) => text)).toEqual(some)
    const choosing = some.filter((text) => halfOf(text) === 'choosing').length
    expect(choosing).toBeGreaterThan(25)
    expect(choosing).toBeLessThan(75)
  })
})

describe('intervals', () => {
  it('hold the figure, are the same every time, and narrow with more questions', () => {
    const few = [1, 0, 1, 1, 0, 1, 0, 1]
    const many = Array.from({ length: 50 }, () => few).flat()
    const [wide, narrow] = [estimateMean(few)!, estimateMean(many)!]
    expect(wide).toEqual(estimateMean(few))
    expect(wide.value).toBe(5 / 8)
    expect(wide.low).toBeLessThan(wide.value)
    expect(wide.high).toBeGreaterThan(wide.value)
    expect(narrow.high - narrow.low).toBeLessThan((wide.high - wide.low) / 3)
  })

  it('come close to what is known of a share: 1.96 standard errors either way', () => {
    const shares = Array.from({ length: 400 }, (_, at) => at % 2)
    const { low, high } = estimateMean(shares)!
    expect(low).toBeCloseTo(0.5 - 1.96 * Math.sqrt(0.25 / 400), 1)
    expect(high).toBeCloseTo(0.5 + 1.96 * Math.sqrt(0.25 / 400), 1)
  })

  it('are absent without questions', () => {
    expect(estimate([], () => 1)).toBeUndefined()
  })
})

describe('plain BM25', () => {
  const documents = [
    { id: 'long', text: `cache ${'and more words '.repeat(20)}` },
    { id: 'short', text: 'Cache the answer' },
    { id: 'rare', text: 'the answer is a semaphore' },
  ]
  const ids = (text: string) => new PlainBm25(documents).rank(text, 10).map((one) => one.ids[0])

  it('prefers the shorter of two with the same word, and rare words', () => {
    expect(ids('cache')).toEqual(['short', 'long'])
    expect(ids('answer semaphore')[0]).toBe('rare')
  })

  it('scores as the formula says', () => {
    const [first] = new PlainBm25(documents.slice(1)).rank('semaphore', 1)
    // Of 2 documents 1 has it, once; both have two words that are no stop words.
    const telling = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expect(first!.score).toBeCloseTo((telling * 2.2) / (1 + 1.2))
  })

  it('takes forms of a word for one', () => {
    expect(ids('caching')).toEqual(['short', 'long'])
    expect(ids('semaphores')).toEqual(['rare'])
  })

  it('finds nothing without a common word that tells', () => {
    expect(ids('kubernetes')).toEqual([])
    expect(ids('what is the')).toEqual([])
  })
})

describe('what is shown', () => {
  it('is told apart from what should not have been', () => {
    const right = (one: Found) => one.ids.includes('right')
    const asked = { half: 'choosing' as const, hasAnswer: true, isKnown: true, isAnswer: right }
    const strange = { half: 'choosing' as const, hasAnswer: false, isKnown: false, isAnswer: () => false }
    const shares = abstentionOf([
      { ...asked, answer: found(['right']) },
      { ...asked, answer: found(['wrong'], ['right']) },
      { ...asked, answer: [] },
      { ...asked, isKnown: false, answer: [{ ids: ['wrong'], score: 0.5 }] },
      { ...strange, answer: found(['wrong']) },
      { ...strange, answer: [] },
    ])
    expect(shares.unrelatedAnswered).toMatchObject({ value: 1 / 2, of: 2 })
    expect(shares.rightShown).toMatchObject({ value: 2 / 3, of: 3 })
    expect(shares.relevantIsRight).toMatchObject({ value: 1 / 2, of: 2 })
  })
})

describe('floors', () => {
  const estimateOf = (value: number) => ({ value, low: value, high: value, of: 10 })
  const results = (ours: number, words: number, fewer = false) => {
    const all = { ours: estimateOf(ours), words: estimateOf(words) }
    const figures = { all, choosing: all, reporting: all }
    return [{ name: 'notes', documents: 1, measures: [{ name: 'MRR', figures, fewer }] }]
  }

  it('say what fell below them', () => {
    const floors = [{ set: 'notes', measure: 'MRR', least: 60 }]
    expect(missedFloors(results(0.61, 0.5), floors)).toEqual([])
    expect(missedFloors(results(0.59, 0.5), floors)).toEqual(['notes, MRR: 59.0 is below 60'])
    expect(missedFloors(results(0.61, 0.5), [{ set: 'notes', measure: 'R@1', least: 1 }])).toHaveLength(1)
  })

  it('say where plain words are better', () => {
    expect(missedFloors(results(0.6, 0.65), [])).toEqual(['notes, MRR: plain words are better by 5.0'])
    expect(missedFloors(results(0.1, 0.5, true), [])).toEqual([])
  })
})
