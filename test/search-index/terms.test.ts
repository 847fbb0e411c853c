import { describe, expect, it } from 'vitest'
import {
  documentTerms,
  hash32,
  inverseDocumentFrequency,
  queryTerms,
  weightOf,
} from '../../src/search-index/terms.ts'

function weights(text: string): Map<number, number> {
  const { hashes, weights: bytes } = documentTerms(text)
  return new Map(Array.from(hashes, (hash, at) => [hash, weightOf(bytes[at]!)]))
}

describe('documentTerms', () => {
  it('lists each term once, in order', () => {
    const { hashes } = documentTerms('cache the cache in LoginForm')
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

  it('of an empty text is empty', () => {
    expect(documentTerms('')).toEqual({ hashes: new Uint32Array(), weights: new Uint8Array() })
  })
})

describe('queryTerms', () => {
  it('marks identifiers in one piece as optional: their parts ask the same', () => {
    expect(queryTerms('LoginForm')).toEqual([
      { hash: hash32('login'), optional: false },
      { hash: hash32('form'), optional: false },
      { hash: hash32('loginform'), optional: true },
    ])
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
