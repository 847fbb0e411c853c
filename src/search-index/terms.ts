import { addTerms, type SearchTerms, searchTerms, tokensOf } from '../text/words.ts'

/**
 * BM25 as a sparse vector: each term's weight depends on its document alone, the collection enters only through the
 * IDF at query time. So a posting needs one byte, an update touches one document, and every driver ranks alike.
 * For that the average length is not counted: each kind of collection knows how long its documents typically are
 * (docs/decisions/search-index.md).
 */
const K1 = 1.2
const B = 0.75
/** In terms; of turns and solutions. */
const TYPICAL_LENGTH = 50
/** Where documents are of very different lengths, a short one says no more by a word than one of this part of the typical length. */
const SHORTEST_PART = 0.5
const HIGHEST_WEIGHT = K1 + 1

/** What a document weighs in each of its terms. */
export interface DocumentTerms {
  /** Ascending, without repetitions. Two words that share a 32-bit hash are taken for one: once in many million. */
  hashes: Uint32Array
  /** `weightOf` gives the weight. */
  weights: Uint8Array
}

export interface QueryTerm {
  hash: number
  /** An identifier in one piece says nothing that its parts do not say, unless somebody has written it like that. */
  optional: boolean
}

/** A pasted log is a question too, but its first words tell enough. */
const MOST_QUERY_TERMS = 256

export function documentTerms(text: string, typicalLength?: number): DocumentTerms {
  const all: number[] = []
  for (const token of tokensOf(text)) for (const hash of hashesOf(token)) all.push(hash)
  const sorted = Uint32Array.from(all).sort()
  const length = relativeLength(sorted.length, typicalLength)
  const saturation = K1 * (1 - B + B * length)
  const hashes = new Uint32Array(sorted.length)
  const weights = new Uint8Array(sorted.length)
  let size = 0
  for (let at = 0; at < sorted.length; size++) {
    const first = at
    while (at < sorted.length && sorted[at] === sorted[first]) at++
    const count = at - first
    hashes[size] = sorted[first]!
    // Never 0: a long document still has the word.
    weights[size] = Math.max(1, Math.round((255 * count) / (count + saturation)))
  }
  return { hashes: hashes.slice(0, size), weights: weights.slice(0, size) }
}

function relativeLength(terms: number, typical: number | undefined): number {
  return typical === undefined ? terms / TYPICAL_LENGTH : Math.max(SHORTEST_PART, terms / typical)
}

/** People and programs have few words and repeat them: remembering makes long imports several times as fast. */
const known = new Map<string, readonly number[]>()
const MOST_REMEMBERED = 50_000
const LONGEST_REMEMBERED = 40

function hashesOf(token: string): readonly number[] {
  const before = known.get(token)
  if (before !== undefined) return before
  const terms: SearchTerms = { words: [], joined: [] }
  addTerms(token, terms)
  const hashes = [...terms.words, ...terms.joined].map(hash32)
  if (token.length > LONGEST_REMEMBERED) return hashes
  if (known.size >= MOST_REMEMBERED) known.clear()
  known.set(token, hashes)
  return hashes
}

export function weightOf(byte: number): number {
  return (byte / 255) * HIGHEST_WEIGHT
}

export function queryTerms(text: string): QueryTerm[] {
  const { words, joined } = searchTerms(text)
  const terms = new Map<number, QueryTerm>()
  for (const word of words) terms.set(hash32(word), { hash: hash32(word), optional: false })
  for (const name of joined) {
    const hash = hash32(name)
    if (!terms.has(hash)) terms.set(hash, { hash, optional: true })
  }
  return [...terms.values()].slice(0, MOST_QUERY_TERMS)
}

/** How telling a term is that `containing` of `documents` have; always above 0. */
export function inverseDocumentFrequency(documents: number, containing: number): number {
  return Math.log(1 + (documents - containing + 0.5) / (containing + 0.5))
}

/** Of a long question, such as a pasted error, it is enough to cover as much as its most telling words weigh. */
const MOST_TO_COVER = 8

/** How much IDF a document must have to cover a question whose terms have these. */
export function massToCover(telling: readonly number[]): number {
  const most = telling.toSorted((a, b) => b - a).slice(0, MOST_TO_COVER)
  return most.reduce((sum, one) => sum + one, 0)
}

export function coverageOf(covered: number, mass: number): number {
  return mass === 0 ? 0 : Math.min(1, covered / mass)
}

/**
 * BM25 as a share of what a document of typical length reaches that has the question's most telling words once: unlike
 * coverage, a long document does not have it for free. Above 1 where a long question is met in many words.
 */
export function wordShareOf(bm25: number, mass: number): number {
  return mass === 0 ? 0 : bm25 / mass
}

/** FNV-1a over the UTF-16 units, then mixed so that similar words end far apart. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
