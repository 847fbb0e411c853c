import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calibrated, TELLS_NOTHING } from '../../src/embedding/calibration.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { isRalphError } from '../../src/errors.ts'

export interface EmbedderExpectations {
  /** A real model: it must know that two sentences without a common word mean the same. */
  understands: boolean
}

/** What every embedder promises, run on each of them. */
export function describeEmbedder(
  name: string,
  open: () => Promise<Embedder>,
  { understands }: EmbedderExpectations,
): void {
  describe(`embedder contract: ${name}`, () => {
    let embedder: Embedder

    beforeAll(async () => {
      embedder = await open()
      await embedder.calibrate?.('document')
    })
    afterAll(async () => {
      await embedder?.close()
      await embedder?.close()
    })

    it('says who it is', () => {
      expect(embedder.id).toContain(embedder.model)
      expect(embedder.id).toContain(String(embedder.dimensions))
      expect(embedder.maxBatch).toBeGreaterThanOrEqual(1)
    })

    it('has a calibration that rises in both directions and ends at 1, unless it tells nothing apart', () => {
      const points = embedder.calibration
      if (points === TELLS_NOTHING) return
      for (const [index, [cosine, score]] of points.entries()) {
        if (index === 0) continue
        expect(cosine).toBeGreaterThan(points[index - 1]![0])
        expect(score).toBeGreaterThan(points[index - 1]![1])
      }
      expect(points.at(-1)).toEqual([1, 1])
    })

    it('gives one unit-length vector per text, in order', async () => {
      const texts = ['The login form validates the password.', 'Invoices are sent on Fridays.', 'zebra']
      const vectors = await embedder.embed(texts, 'document')
      expect(vectors).toHaveLength(3)
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array)
        expect(vector).toHaveLength(embedder.dimensions)
        expect(Math.sqrt(cosine(vector, vector))).toBeCloseTo(1, 4)
      }
      for (const [index, text] of texts.entries()) {
        const [alone] = await embedder.embed([text], 'document')
        expect(cosine(alone!, vectors[index]!)).toBeGreaterThan(0.999)
      }
    })

    it('fills a whole batch', async () => {
      const texts = Array.from({ length: Math.min(embedder.maxBatch, 40) }, (_, index) => `note ${index}`)
      const vectors = await embedder.embed(texts, 'document')
      expect(vectors).toHaveLength(texts.length)
      const [last] = await embedder.embed([texts.at(-1)!], 'document')
      expect(cosine(last!, vectors.at(-1)!)).toBeGreaterThan(0.999)
    })

    it('returns nothing for nothing', async () => {
      expect(await embedder.embed([], 'document')).toEqual([])
    })

    it('accepts blank, endless and strange texts', async () => {
      const texts = [
        '',
        ' \n\t',
        'word '.repeat(50_000),
        '\ud800 half',
        '\0',
        '日本語',
        '👩‍👩‍👧',
        '[SEP] [MASK]',
      ]
      const vectors = await embedder.embed(texts, 'document')
      for (const vector of vectors) {
        expect(vector.every(Number.isFinite)).toBe(true)
        expect(Math.sqrt(cosine(vector, vector))).toBeCloseTo(1, 4)
      }
    })

    it('keeps blank text away from everything', async () => {
      const [blank, note] = await embedder.embed(['', 'The cache is emptied at midnight.'], 'document')
      expect(calibrated(cosine(blank!, note!), embedder.calibration)).toBeLessThan(0.4)
    })

    it('finds similar texts similar', async () => {
      const [query] = await embedder.embed(['password form validation'], 'query')
      const [near, far] = await embedder.embed(
        ['form validation of the password', 'the weather in Lisbon was pleasant'],
        'document',
      )
      expect(cosine(query!, near!)).toBeGreaterThan(cosine(query!, far!))
    })

    it('tells what the tokens mean beside the same vectors, if it tells them', async () => {
      if (!embedder.embedTokens) return
      const texts = [
        'The login form validates the password, doesn’t it?',
        '',
        ...Array.from({ length: 18 }, (_, at) => `note ${at}`),
        'A very long story about a fox and a dog. '.repeat(100),
      ]
      for (const kind of ['document', 'query'] as const) {
        const found = await embedder.embedTokens(texts, kind)
        const vectors = await embedder.embed(texts, kind)
        expect(found.map(({ vector }) => vector)).toEqual(vectors)
        for (const [at, { tokens }] of found.entries()) {
          expect(tokens.weights.length === 0).toBe(texts[at] === '')
          expect(tokens.vectors).toHaveLength(tokens.weights.length * embedder.dimensions)
          expect(tokens.weights.every((weight) => weight > 0)).toBe(true)
          for (let token = 0; token < tokens.weights.length; token++) {
            const start = token * embedder.dimensions
            const one = tokens.vectors.slice(start, start + embedder.dimensions)
            expect(cosine(one, one)).toBeCloseTo(1, 4)
          }
        }
        const [alone] = await embedder.embedTokens([texts[2]!], kind)
        expect(alone).toEqual(found[2])
      }
      const [question] = await embedder.embedTokens(['the password'], 'query')
      expect(question!.tokens.weights).toEqual(question!.tokens.weights.toSorted().toReversed())
    })

    it('counts what it was asked', async () => {
      const before = { ...embedder.usage }
      await embedder.embed(['two texts', 'in one request'], 'document')
      expect(embedder.usage.texts).toBe(before.texts + 2)
      expect(embedder.usage.requests).toBeGreaterThan(before.requests)
      expect(embedder.usage.tokens).toBeGreaterThan(before.tokens)
      expect(embedder.usage.costUsd).toBeGreaterThanOrEqual(before.costUsd)
    })

    it('stops when cancelled', async () => {
      const error = await embedder.embed(['anything'], 'query', AbortSignal.abort()).catch((reason) => reason)
      expect(isRalphError(error) && error.code).toBe('cancelled')
    })

    it('is healthy and says how it runs', async () => {
      const health = await embedder.check()
      expect(health).toMatchObject({ ok: true })
      expect(health.detail).not.toBe('')
    })

    it.runIf(understands)('understands paraphrases and tells them from unrelated texts', async () => {
      const score = (a: Float32Array, b: Float32Array) => calibrated(cosine(a, b), embedder.calibration)
      for (const [question, note, unrelated] of MEANINGS) {
        const [asked] = await embedder.embed([question], 'query')
        const [right, wrong] = await embedder.embed([note, unrelated], 'document')
        expect(score(asked!, right!), question).toBeGreaterThan(0.4)
        expect(score(asked!, wrong!), unrelated).toBeLessThan(0.4)
      }
    })
  })
}

/** A question, a note that answers it in other words, and one that has nothing to do with it. */
const MEANINGS = [
  [
    'people were kicked out of their account after a few minutes',
    'Session tokens expired too early because the clock on the auth server drifted.',
    'Recharts draws the sales graph on the start page.',
  ],
  [
    'pictures do not show up on phones',
    'Image URLs used http and were blocked as mixed content by mobile Safari.',
    'Prices are kept as integers of the smallest unit.',
  ],
  [
    'numbers were off by a cent',
    'Prices were stored as floats; migrated to integer minor units.',
    'German strings are loaded when the page is opened.',
  ],
] as const

export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0)
}
