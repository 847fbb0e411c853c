import { describe, expect, it } from 'vitest'
import type { Calibration } from '../../src/embedding/embedder.ts'
import { fuse } from '../../src/retrieval/fusion.ts'
import type { Evidence } from '../../src/search-index/query.ts'
import fc from '../support/fast-check.ts'
import { expectSoundRanking } from './sound-ranking.ts'

const CALIBRATION: Calibration = [
  [0, 0],
  [0.25, 0.4],
  [0.5, 0.7],
  [1, 1],
]
const options = { calibration: CALIBRATION, limit: 10, minScore: 0.4 }

function evidence(id: string, parts: Partial<Evidence>): Evidence {
  return { id, payload: { id }, bm25: 0, coverage: 0, wordShare: 0, commonShare: 0, among: 100, ...parts }
}

describe('fuse', () => {
  it('puts an exact identifier first although its meaning is far away, and says why', () => {
    const hits = fuse(
      [
        evidence('exact', { cosine: 0.1, bm25: 9, coverage: 1 }),
        evidence('alike', { cosine: 0.45, bm25: 0, coverage: 0 }),
      ],
      options,
    )
    expect(hits.map(({ id, matched }) => [id, matched])).toEqual([
      ['exact', ['words']],
      ['alike', ['meaning']],
    ])
    expect(hits[0]!.score).toBeGreaterThan(0.8)
  })

  it('does not let hits that share a word or two drown a paraphrase', () => {
    const chance = Array.from({ length: 20 }, (_, at) =>
      evidence(`chance ${at}`, { cosine: 0.15, bm25: 5 - at / 10, coverage: 0.25 }),
    )
    const hits = fuse([...chance, evidence('paraphrase', { cosine: 0.4 })], options)
    expect(hits.map(({ id }) => id)).toEqual(['paraphrase'])
  })

  it('ranks what both meaning and words support above what only one does', () => {
    const hits = fuse(
      [
        evidence('both', { cosine: 0.4, bm25: 5, coverage: 0.6 }),
        evidence('meaning', { cosine: 0.42 }),
        evidence('words', { cosine: 0.2, bm25: 5, coverage: 0.6 }),
      ],
      options,
    )
    expect(hits.map(({ id }) => id)).toEqual(['both', 'words', 'meaning'])
    expect(hits[0]!.matched).toEqual(['meaning', 'words'])
  })

  it('answers nothing when nothing is strong', () => {
    const weak = [
      evidence('a', { cosine: 0.2 }),
      evidence('b', { cosine: 0.1, bm25: 3, coverage: 0.2 }),
      evidence('c', {}),
    ]
    expect(fuse(weak, options)).toEqual([])
    expect(fuse([], options)).toEqual([])
  })

  it('works with words alone', () => {
    const hits = fuse(
      [evidence('all', { bm25: 5, coverage: 1 }), evidence('half', { bm25: 3, coverage: 0.5 })],
      { calibration: [], limit: 5, minScore: 0.2 },
    )
    expect(hits.map(({ id, matched }) => [id, matched])).toEqual([
      ['all', ['words']],
      ['half', ['words']],
    ])
  })

  it('is deterministic, bounded and sorted whatever comes in', () => {
    const one = fc.record({
      id: fc.uuid(),
      payload: fc.constant({}),
      cosine: fc.double({ min: -1, max: 1, noNaN: true }),
      bm25: fc.double({ min: 0, max: 50, noNaN: true }),
      coverage: fc.double({ min: 0, max: 1, noNaN: true }),
      wordShare: fc.double({ min: 0, max: 3, noNaN: true }),
      commonShare: fc.constant(0),
      among: fc.integer({ min: 1, max: 1_000_000 }),
    })
    expectSoundRanking(one, (all, limit) => fuse(all, { ...options, limit, minScore: 0 }))
  })
})
