import type { Evidence, Payload, SearchRequest } from '../search-index.ts'
import { coverageOf, inverseDocumentFrequency, massToCover, queryTerms, weightOf } from '../terms.ts'
import { cosine, storedVector } from '../vectors.ts'
import { best } from './best.ts'
import { requireSound } from './checksum.ts'
import { postingsOf, readSketches } from './chunk-rows.ts'
import { HAS_VECTOR, type PackedCollection, REMOVED } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import { documentAt, vectorOf } from './document-row.ts'
import { type Layout, readLayout } from './layout.ts'
import { Passing } from './passing.ts'
import { readPostings } from './postings.ts'
import { SketchScorer } from './sketch.ts'

/** Sketches are rough: of this many times as many as wanted the true likeness is computed. */
const RESCORED = 4

export function searchCollection(
  db: IndexDatabase,
  collection: PackedCollection,
  { text, vector, candidates, filter = {} }: Omit<SearchRequest, 'limit'> & { candidates: number },
): Evidence[] {
  const layout = readLayout(db, collection)
  const documents = new Map<number, { id: string; payload: Payload }>()
  const documentOf = (position: number) => {
    const read =
      documents.get(position) ?? documentAt(db, layout.documents[position]!, layout.tieBreaks[position]!)
    documents.set(position, read)
    return read
  }
  const passing = new Passing(db, layout, filter, (position) => documentOf(position).payload)
  const words = scoreWords(db, layout, text)
  const found = new Set(
    best(words.bm25, (at) => words.bm25[at]! > 0 && passing.passes(at), layout.tieBreaks, candidates),
  )
  const cosines = vector ? scoreMeaning(db, layout, passing, vector, candidates, found) : undefined
  const evidence = [...found].map((position) => {
    const likeness = cosines?.get(position)
    return {
      ...documentOf(position),
      ...(likeness !== undefined && { cosine: likeness }),
      bm25: words.bm25[position]!,
      coverage: coverageOf(words.covered[position]!, words.mass),
    }
  })
  requireSound(new Set(evidence.map(({ id }) => id)).size === evidence.length)
  return evidence
}

/** For every document of the collection, exactly: its BM25, and the IDF of those of the question's words that it has. */
function scoreWords(
  db: IndexDatabase,
  layout: Layout,
  text: string,
): { bm25: Float32Array; covered: Float32Array; mass: number } {
  const bm25 = new Float32Array(layout.size)
  const covered = new Float32Array(layout.size)
  const positions = new Uint32Array(layout.size)
  const weights = new Uint8Array(layout.size)
  const tellings: number[] = []
  for (const { hash, optional } of queryTerms(text)) {
    let containing = 0
    readTerm(db, layout, hash, (position, weight) => {
      if (layout.flags[position]! & REMOVED) return
      positions[containing] = position
      weights[containing++] = weight
    })
    if (optional && containing === 0) continue
    const telling = inverseDocumentFrequency(layout.live, containing)
    tellings.push(telling)
    for (let at = 0; at < containing; at++) {
      const position = positions[at]!
      bm25[position]! += telling * weightOf(weights[at]!)
      covered[position]! += telling
    }
  }
  return { bm25, covered, mass: massToCover(tellings) }
}

function readTerm(
  db: IndexDatabase,
  layout: Layout,
  hash: number,
  add: (position: number, weight: number) => void,
): void {
  for (const chunk of layout.chunks) {
    const postings = postingsOf(db, chunk, hash)
    if (postings) readPostings(postings, (slot, weight) => add(chunk.start + slot, weight))
  }
  for (const [at, { terms }] of layout.loose.entries.entries()) {
    const found = indexInSorted(terms.hashes, hash)
    if (found >= 0) add(layout.loose.start + at, terms.weights[found]!)
  }
}

/**
 * Adds the documents nearest in meaning to `found`, and returns the true likeness of all that is found then:
 * the best by sketch are looked at again with their full vectors.
 */
function scoreMeaning(
  db: IndexDatabase,
  layout: Layout,
  passing: Passing,
  vector: Float32Array,
  candidates: number,
  found: Set<number>,
): Map<number, number> {
  const rough = scoreSketches(db, layout, passing.possible, vector)
  const hasVector = (position: number) => (layout.flags[position]! & HAS_VECTOR) !== 0
  const mayBeNear = (position: number) => hasVector(position) && passing.passes(position)
  const nearest = best(rough, mayBeNear, layout.tieBreaks, candidates * RESCORED)
  const cosines = new Map<number, number>()
  for (const position of new Set([...found, ...nearest])) {
    if (!hasVector(position)) continue
    const stored = storedVector(vectorOf(db, layout.documents[position]!), vector.length)
    if (stored) cosines.set(position, cosine(vector, stored))
  }
  const sound = nearest.filter((position) => cosines.has(position))
  sound.sort((a, b) => cosines.get(b)! - cosines.get(a)! || layout.tieBreaks[a]! - layout.tieBreaks[b]!)
  for (const position of sound.slice(0, candidates)) found.add(position)
  return cosines
}

function scoreSketches(
  db: IndexDatabase,
  layout: Layout,
  allowed: Uint8Array,
  vector: Float32Array,
): Float32Array {
  const scores = new Float32Array(layout.size)
  const scorer = new SketchScorer(vector)
  for (const { number, start } of layout.chunks) {
    scorer.score(readSketches(db, number), allowed, scores, start)
  }
  for (const [at, { sketch }] of layout.loose.entries.entries()) {
    if (sketch) scorer.score(sketch, allowed, scores, layout.loose.start + at)
  }
  return scores
}

function indexInSorted(numbers: Uint32Array, wanted: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const number = numbers[middle]!
    if (number === wanted) return middle
    if (number < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}
