import { describe, expect, it } from 'vitest'
import { MEASURED } from '../../src/embedding/calibration.ts'
import type { Examined } from '../../src/retrieval/examine.ts'
import { rankHits } from '../../src/retrieval/ranking.ts'
import fc from '../support/fast-check.ts'
import { expectSoundRanking } from './sound-ranking.ts'

const options = { calibration: MEASURED, limit: 10, minScore: 0.4 }

function evidence(id: string, parts: Partial<Examined>): Examined {
  return { id, payload: { id }, bm25: 0, coverage: 0, wordShare: 0, commonShare: 0, among: 50, ...parts }
}

const scoreOf = (parts: Partial<Examined>) =>
  rankHits([evidence('one', parts)], { ...options, minScore: 0 })[0]?.score ?? 0

describe('rankHits', () => {
  it('puts an exact identifier first although its meaning is far away, and says why', () => {
    const hits = rankHits(
      [evidence('exact', { cosine: 0.1, wordShare: 1 }), evidence('alike', { cosine: 0.4 })],
      options,
    )
    expect(hits.map(({ id, matched }) => [id, matched])).toEqual([
      ['exact', ['words']],
      ['alike', ['meaning']],
    ])
  })

  it('lets no hit that shares a word or two push a paraphrase off the first place, though it be the best by words', () => {
    const chance = Array.from({ length: 20 }, (_, at) =>
      evidence(`chance ${at}`, { cosine: 0.15, wordShare: 0.3 - at / 100 }),
    )
    const [first] = rankHits([...chance, evidence('paraphrase', { cosine: 0.38 })], options)
    expect(first?.id).toBe('paraphrase')
  })

  it('counts common words of a sentence little, which any document may have, and in full where nothing else is asked for', () => {
    const [stray, paraphrase] = [
      evidence('stray', { cosine: 0.3, wordShare: 0.5, commonShare: 0.5 }),
      evidence('paraphrase', { cosine: 0.4 }),
    ]
    const first = (pairs: number) => rankHits([stray, paraphrase], { ...options, pairs })[0]!.id
    expect(first(6)).toBe('paraphrase')
    expect(first(1)).toBe('stray')
    expect(rankHits([stray, paraphrase], { ...options, pairs: 20, isLong: true })[0]!.id).toBe('stray')
  })

  it('ranks what both meaning and words support above what only one does', () => {
    const hits = rankHits(
      [
        evidence('both', { cosine: 0.4, wordShare: 0.6 }),
        evidence('meaning', { cosine: 0.42 }),
        evidence('words', { cosine: 0.05, wordShare: 0.6 }),
      ],
      { ...options, minScore: 0 },
    )
    expect(hits.map(({ id }) => id)).toEqual(['both', 'meaning', 'words'])
    expect(hits[0]!.matched).toEqual(['meaning', 'words'])
  })

  it('trusts words less that meaning does not bear out', () => {
    const borneOut = scoreOf({ cosine: 0.4, wordShare: 0.8 }) - scoreOf({ cosine: 0.4 })
    const alone = scoreOf({ cosine: 0.05, wordShare: 0.8 }) - scoreOf({ cosine: 0.05 })
    expect(borneOut).toBeGreaterThan(0)
    expect(scoreOf({ wordShare: 0.8 })).toBeGreaterThan(scoreOf({ cosine: 0.05, wordShare: 0.8 }))
    expect(alone).toBeGreaterThan(0)
  })

  it('says the same of a document beside a better one', () => {
    const hit = { cosine: 0.3, wordShare: 0.5 }
    const among = rankHits(
      [evidence('one', hit), evidence('other', { cosine: 0.6, wordShare: 0.9 })],
      options,
    )
    expect(among.find(({ id }) => id === 'one')?.score).toBe(scoreOf(hit))
  })

  it('measures long questions, which are met in more words than it takes, by the best of the hits', () => {
    const hits = rankHits(
      [evidence('best', { cosine: 0.3, wordShare: 3 }), evidence('second', { cosine: 0.3, wordShare: 2 })],
      { ...options, isLong: true },
    )
    expect(hits.map(({ id }) => id)).toEqual(['best', 'second'])
    expect(hits[0]!.score - hits[1]!.score).toBeGreaterThan(0.1)
  })

  it('prefers words that stand together as in the question, the more so the fewer have them', () => {
    const scattered = evidence('scattered', { cosine: 0.3, wordShare: 0.6, pairs: [] })
    const common = evidence('common', { cosine: 0.3, wordShare: 0.6, pairs: [0] })
    const rare = evidence('rare', { cosine: 0.3, wordShare: 0.6, pairs: [1] })
    const hits = rankHits([scattered, common, { ...common, id: 'common, too' }, rare], {
      ...options,
      pairs: 3,
    })
    expect(hits.map(({ id }) => id)).toEqual(['rare', 'common', 'common, too', 'scattered'])
  })

  it('prefers the failure whose headline reads alike; one that shares what any two lines share gains nothing', () => {
    const of = (headline: number) => scoreOf({ cosine: 0.3, wordShare: 0.4, headline })
    expect(of(0.8)).toBeGreaterThan(of(0.5))
    expect(of(0.2)).toBe(of(0))
  })

  it('lets meaning decide between those that have all the words of a short question, rather than words beyond them', () => {
    const more = evidence('more words', { cosine: 0.5, wordShare: 1.2 })
    const nearer = evidence('nearer', { cosine: 0.6, wordShare: 1 })
    const order = (...all: Examined[]) => rankHits(all, options).map(({ id }) => id)
    expect(order(more, nearer)).toEqual(['nearer', 'more words'])
    expect(order(evidence('all', { cosine: 0.5, wordShare: 1 }), more)).toEqual(['more words', 'all'])
  })

  it('lets the words of a long question count without what meaning says', () => {
    const hit = evidence('one', { cosine: 0.1, wordShare: 0.8 })
    const scores = [true, false].map(
      (isLong) => rankHits([hit], { ...options, minScore: 0, isLong })[0]!.score,
    )
    expect(scores[0]! - scores[1]!).toBeGreaterThan(0.1)
  })

  describe('of long documents', () => {
    const found = (length: number) => [
      evidence('words', { cosine: 0.12, wordShare: 0.7, length }),
      evidence('meaning', { cosine: 0.42, wordShare: 0.1, length }),
    ]
    const ranked = (length: number, more = {}) =>
      rankHits(found(length), { ...options, minScore: 0, ...more })

    it('lets words decide between them, of which a vector tells little, and meaning between short ones', () => {
      expect(ranked(40).map(({ id }) => id)).toEqual(['meaning', 'words'])
      expect(ranked(200).map(({ id }) => id)).toEqual(['words', 'meaning'])
    })

    it('shows as many as before, with the same scores: what is unrelated gains nothing by its length', () => {
      expect(ranked(200).map(({ score }) => score)).toEqual(ranked(40).map(({ score }) => score))
    })

    it('goes by most of those found, not by the length of each', () => {
      const short = ['a', 'b', 'c'].map((id) => evidence(id, { cosine: 0.05, length: 30 }))
      const [first] = rankHits([...found(200), ...short], options)
      expect(first?.id).toBe('meaning')
    })

    it('leaves long questions as they are, whose words count in full already', () => {
      expect(ranked(200, { isLong: true })).toEqual(ranked(40, { isLong: true }))
    })

    it.each([true, false])('lets words that stand together decide between them, isLong %s', (isLong) => {
      const of = (length: number) => [
        evidence('together', { cosine: 0.3, wordShare: 0.45, length, pairs: [0, 1] }),
        evidence('more words', { cosine: 0.3, wordShare: 0.95, length, pairs: [] }),
      ]
      const first = (length: number) => rankHits(of(length), { ...options, isLong, pairs: 3 })[0]!.id
      expect(first(40)).toBe('more words')
      expect(first(200)).toBe('together')
    })
  })

  it('works with words alone', () => {
    const hits = rankHits([evidence('all', { wordShare: 1 }), evidence('half', { wordShare: 0.5 })], {
      ...{ calibration: [], limit: 5, minScore: 0.2 },
    })
    expect(hits.map(({ id, matched }) => [id, matched])).toEqual([
      ['all', ['words']],
      ['half', ['words']],
    ])
    expect(hits[0]!.score).toBeGreaterThan(0.8)
  })

  describe('in collections of all sizes', () => {
    const PARAPHRASE = { cosine: 0.27 }

    it.each([1, 2, 5, 10, 20])('a paraphrase is still found among %i', (among) => {
      expect(scoreOf({ ...PARAPHRASE, among })).toBeGreaterThanOrEqual(0.4)
    })

    it('what chance reaches among many is not shown, and never called relevant', () => {
      // What one of ten unrelated questions reaches, measured on sessions, commands and lints.
      expect(scoreOf({ cosine: 0.42, among: 311 })).toBeLessThan(0.4)
      expect(scoreOf({ cosine: 0.52, among: 3_000 })).toBeLessThan(0.4)
      expect(scoreOf({ cosine: 0.57, among: 11_000 })).toBeLessThan(0.4)
      expect(scoreOf({ cosine: 0.3, wordShare: 0.5, among: 311 })).toBeLessThan(0.55)
    })

    it('right answers are relevant among many, too', () => {
      expect(scoreOf({ cosine: 0.55, wordShare: 0.7, among: 311 })).toBeGreaterThan(0.55)
      expect(scoreOf({ cosine: 0.7, wordShare: 0.8, among: 11_000 })).toBeGreaterThan(0.55)
    })

    it('more documents never raise a score, and never change the order', () => {
      const likely = fc.record({
        cosine: fc.double({ min: 0, max: 1, noNaN: true }),
        wordShare: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      const size = fc.integer({ min: 1, max: 1_000_000 })
      fc.assert(
        fc.property(likely, likely, size, size, (a, b, one, other) => {
          const [few, many] = one < other ? [one, other] : [other, one]
          expect(scoreOf({ ...a, among: many })).toBeLessThanOrEqual(scoreOf({ ...a, among: few }))
          if (scoreOf({ ...a, among: few }) < scoreOf({ ...b, among: few }))
            expect(scoreOf({ ...a, among: many })).toBeLessThanOrEqual(scoreOf({ ...b, among: many }))
        }),
      )
    })
  })

  it('means the same with an embedder that finds everything alike', () => {
    const squeezed = (cosine: number) => 1 - (1 - cosine) * 0.3
    const calibration = MEASURED.map(([cosine, score]) => [squeezed(cosine), score] as const)
    const [plain] = rankHits([evidence('one', { cosine: 0.4, wordShare: 0.5 })], options)
    const [other] = rankHits([evidence('one', { cosine: squeezed(0.4), wordShare: 0.5 })], {
      ...options,
      calibration,
    })
    expect(other!.score).toBeCloseTo(plain!.score, 3)
  })

  it('is deterministic, bounded and sorted whatever comes in', () => {
    const one = fc.record({
      id: fc.uuid(),
      payload: fc.constant({}),
      cosine: fc.double({ min: -1, max: 1, noNaN: true }),
      bm25: fc.constant(0),
      coverage: fc.constant(0),
      wordShare: fc.double({ min: 0, max: 4, noNaN: true }),
      commonShare: fc.constant(0),
      among: fc.integer({ min: 1, max: 100_000 }),
    })
    expectSoundRanking(one, (all, limit) => rankHits(all, { ...options, limit, minScore: 0 }))
  })
})
