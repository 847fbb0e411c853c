import { describe, expect, it } from 'vitest'
import {
  type DocumentWords,
  documentTerms,
  hash32,
  inverseDocumentFrequency,
  queryTerms,
  weightOf,
} from '../../src/search-index/terms.ts'

function weights(words: string | DocumentWords, typicalLength?: number): Map<number, number> {
  const { hashes, weights: bytes } = documentTerms(
    typeof words === 'string' ? { text: words } : words,
    typicalLength,
  )
  return new Map(Array.from(hashes, (hash, at) => [hash, weightOf(bytes[at]!)]))
}

describe('documentTerms', () => {
  it('lists each term once, in order', () => {
    const { hashes } = documentTerms({ text: 'cache the cache in LoginForm' })
    expect([...hashes]).toEqual(['cach', 'login', 'form', 'loginform'].map(hash32).sort((a, b) => a - b))
  })

  it('weighs a repeated term more, but less than its count', () => {
    const once = weights('cache miss').get(hash32('cach'))!
    const thrice = weights('cache cache cache miss').get(hash32('cach'))!
    expect(thrice).toBeGreaterThan(once)
    expect(thrice).toBeLessThan(2 * once)
  })

  it('weighs a term less in a longer text, and never nothing', () => {
    const filler = Array.from({ length: 3_000 }, (_, at) => `w${at}`).join(' ')
    const long = weights(`cache ${filler}`).get(hash32('cach'))!
    expect(long).toBeLessThan(weights('cache').get(hash32('cach'))!)
    expect(long).toBeGreaterThan(0)
  })

  it('weighs what was said beside less, and the names of files more, than what was said', () => {
    const [said, beside, named] = [
      { text: 'cache miss' },
      { text: 'miss', beside: 'cache' },
      { text: 'miss', names: 'src/cache.ts' },
    ].map((words) => weights(words, 150).get(hash32('cach'))!)
    expect(beside).toBeLessThan(said!)
    expect(named).toBeGreaterThan(said!)
  })

  it('adds up what a word counts in each field', () => {
    const [text, names] = ['the cache misses', 'src/cache.ts']
    const both = weights({ text, names }, 150).get(hash32('cach'))!
    for (const words of [{ text }, { text: 'misses', names }])
      expect(both).toBeGreaterThan(weights(words, 150).get(hash32('cach'))!)
  })

  it('takes a text for no longer because of the files that were touched, and each of many files for less', () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => `src/part${at}.ts`).join('\n')
    const [few, many] = [files(2), files(200)].map((names) => weights({ text: 'cache miss', names }, 150))
    expect(many!.get(hash32('cach'))).toBe(few!.get(hash32('cach')))
    expect(many!.get(hash32('part1'))).toBeLessThan(few!.get(hash32('part1'))!)
  })

  it('of an empty text is empty', () => {
    expect(documentTerms({ text: '' })).toEqual({ hashes: new Uint32Array(), weights: new Uint8Array() })
  })
})

describe('queryTerms', () => {
  it('marks identifiers in one piece as optional: their parts ask the same', () => {
    expect(queryTerms('LoginForm')).toEqual([
      { hash: hash32('login'), optional: false, weight: 1, common: false },
      { hash: hash32('form'), optional: false, weight: 1, common: true },
      { hash: hash32('loginform'), optional: true, weight: 1, common: false },
    ])
  })

  it('knows common words of the language, whatever their form, by which no document is told from another', () => {
    const common = (text: string) => queryTerms(text).map((term) => term.common)
    expect(common('nobody keeps nights')).toEqual([true, true, true])
    expect(common('webhook idempotency kubectl')).not.toContain(true)
  })

  it('asks of a long question first for what its first line says, and more for what it says again', () => {
    const told = Array.from({ length: 20 }, (_, at) => `detail${at}`).join(' ')
    const asked = queryTerms(`\nThe cache misses\n\n${told}\nin the queue, behind the queue`, {
      titled: true,
    })
    const weight = (word: string) => asked.find(({ hash }) => hash === hash32(word))!.weight
    expect(weight('cach')).toBe(2)
    expect(weight('detail7')).toBe(1)
    expect(weight('queue')).toBeGreaterThan(1)
    expect(weight('queue')).toBeLessThan(2)
  })

  it('asks of a short question for each word alike, however often it says it', () => {
    const asked = queryTerms('The cache misses\nthe cache, and once more the cache', { titled: true })
    expect(new Set(asked.map(({ weight }) => weight))).toEqual(new Set([1]))
  })

  it('asks for no term twice and for a bounded number', () => {
    const long = Array.from({ length: 2_000 }, (_, at) => `w${at % 900}`).join(' ')
    const hashes = queryTerms(long).map(({ hash }) => hash)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hashes.length).toBeLessThan(300)
  })
})

it('rare terms tell more than common ones, and every term tells something', () => {
  expect(inverseDocumentFrequency(100, 1)).toBeGreaterThan(inverseDocumentFrequency(100, 50))
  expect(inverseDocumentFrequency(100, 100)).toBeGreaterThan(0)
  expect(inverseDocumentFrequency(1, 0)).toBeGreaterThan(inverseDocumentFrequency(1, 1))
})
