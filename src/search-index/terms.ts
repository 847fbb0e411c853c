import { isCommonWord } from '../text/common-words.ts'
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
/** A word that was said beside the matter counts so much of one. */
const BESIDE = 0.5
/** A name counts as so many words, in a list of up to so many terms; in a longer one each counts less. */
const NAMES = { worth: 3, unless: 100 } as const

/** What a document is found by, where not all of its words count alike. */
export interface DocumentWords {
  text: string
  /** What was said beside it. */
  beside?: string | undefined
  /** Names, such as the paths of files: a list of its own, as long as it may be, which leaves the text as long as it is. */
  names?: string | undefined
}

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
  /** How much of a question it is: 1 for each word of a short one, and of one without a title. */
  weight: number
  /** Any text may have it, whatever it is about. */
  common: boolean
}

/** A pasted log is a question too, but its first words tell enough. */
const MOST_QUERY_TERMS = 256
/** From so many terms on a question is long: twice as many as a document needs to have of any. */
export const MANY_TERMS = 16
/** Most of a long question tells of what lies around the matter: its first line names it, and what it says again is what it is about. */
const IN_FIRST_LINE = 2
const SAID_AGAIN = 0.5

/** BM25F: what a word counts in each field, by the length of that field, is added up before it is weighed. */
export function documentTerms(
  { text, beside = '', names = '' }: DocumentWords,
  typicalLength?: number,
): DocumentTerms {
  const [said, saidBeside, named] = [termsIn(text), termsIn(beside), termsIn(names)]
  const one = 1 / lengthNorm(relativeLength(said.length + saidBeside.length, typicalLength))
  const counts = new Map<number, number>()
  const count = (hashes: readonly number[], each: number) => {
    for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + each)
  }
  count(said, one)
  count(saidBeside, one * BESIDE)
  count(named, NAMES.worth / lengthNorm(Math.max(1, named.length / NAMES.unless)))
  const hashes = Uint32Array.from(counts.keys()).sort()
  // Never 0: a long document still has the word.
  const weights = Uint8Array.from(hashes, (hash) => Math.max(1, weighed(counts.get(hash)!)))
  return { hashes, weights }
}

function termsIn(text: string): number[] {
  const all: number[] = []
  for (const token of tokensOf(text)) for (const hash of hashesOf(token)) all.push(hash)
  return all
}

function lengthNorm(length: number): number {
  return 1 - B + B * length
}

function weighed(count: number): number {
  return Math.round((255 * count) / (count + K1))
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

/** `titled`: its first line says what it is about. */
export function queryTerms(
  text: string,
  { titled = false }: { titled?: boolean | undefined } = {},
): QueryTerm[] {
  const { words, joined } = searchTerms(text)
  const terms = new Map<number, QueryTerm & { times: number }>()
  const add = (term: string, optional: boolean) => {
    const hash = hash32(term)
    const known = terms.get(hash)
    if (known) known.times++
    else terms.set(hash, { hash, optional, weight: 1, common: !optional && isCommonWord(term), times: 1 })
  }
  for (const word of words) add(word, false)
  for (const name of joined) add(name, true)
  const isEven = !titled || terms.size < MANY_TERMS
  const inFirstLine = isEven ? undefined : new Set(termsIn(firstLineOf(text)))
  return Array.from(terms.values(), ({ times, ...term }) =>
    inFirstLine
      ? {
          ...term,
          weight: (inFirstLine.has(term.hash) ? IN_FIRST_LINE : 1) * (1 + SAID_AGAIN * Math.log(times)),
        }
      : term,
  ).slice(0, MOST_QUERY_TERMS)
}

function firstLineOf(text: string): string {
  return text.trimStart().split('\n', 1)[0]!
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
