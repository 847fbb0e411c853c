import type { Evidence, SearchRequest } from '../query.ts'
import type { Payload } from '../search-index.ts'
import { SketchScorer } from '../sketch.ts'
import {
  coverageOf,
  inverseDocumentFrequency,
  massToCover,
  queryTerms,
  weightOf,
  wordShareOf,
} from '../terms.ts'
import { best } from './best.ts'
import { requireSound } from './checksum.ts'
import { HAS_VECTOR, type PackedCollection } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import type { Layout } from './layout.ts'
import { Passing } from './passing.ts'
import { copyPostings } from './postings.ts'
import { cosineWith } from './rounded-vector.ts'
import { type Room, SearchRows } from './search-rows.ts'

/** Sketches are rough: of this many times as many as wanted the true likeness is computed. */
const RESCORED = 4

export function searchCollection(
  db: IndexDatabase,
  collection: PackedCollection,
  {
    text,
    vector,
    candidates,
    filter = {},
    details = false,
  }: Omit<SearchRequest, 'limit'> & { candidates: number },
): Evidence[] {
  const rows = new SearchRows(db)
  const layout = rows.layout(collection)
  const documents = new Map<number, { id: string; payload: Payload }>()
  const documentOf = (position: number) => {
    const read =
      documents.get(position) ?? rows.document(layout.documents[position]!, layout.tieBreaks[position]!)
    documents.set(position, read)
    return read
  }
  const passing = new Passing(rows, layout, filter, (position) => documentOf(position).payload)
  const room = rows.room(collection, layout)
  const words = scoreWords(rows, layout, room, text)
  const found = new Set(
    best(words.bm25, (at) => words.bm25[at]! > 0 && passing.passes(at), layout.tieBreaks, candidates),
  )
  const cosines = vector ? scoreMeaning(rows, layout, room, passing, vector, candidates, found) : undefined
  const wanted = details ? [...found].filter((position) => cosines?.has(position)) : []
  const detailed = rows.details(wanted.map((position) => layout.documents[position]!))
  const evidence = [...found].map((position) => {
    const likeness = cosines?.get(position)
    const detail = detailed.get(layout.documents[position]!)
    return {
      ...documentOf(position),
      ...(likeness !== undefined && { cosine: likeness }),
      bm25: words.bm25[position]!,
      coverage: coverageOf(words.covered[position]!, words.mass),
      wordShare: wordShareOf(words.bm25[position]!, words.mass),
      among: layout.live,
      ...(detail && { detail }),
    }
  })
  requireSound(new Set(evidence.map(({ id }) => id)).size === evidence.length)
  return evidence
}

/** For every document of the collection, exactly: its BM25, and the IDF of those of the question's words that it has. */
function scoreWords(
  rows: SearchRows,
  layout: Layout,
  room: Room,
  text: string,
): { bm25: Float32Array; covered: Float32Array; mass: number } {
  const { bm25, covered, positions, weights } = room
  const tellings: number[] = []
  for (const { hash, optional } of queryTerms(text)) {
    const containing = readTerm(rows, layout, room, hash)
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

/** Which documents have the term, and with what weight, into `room`; returns how many. */
function readTerm(rows: SearchRows, layout: Layout, room: Room, hash: number): number {
  const { positions, weights } = room
  let read = 0
  for (const chunk of layout.chunks) {
    const postings = rows.postings(chunk, hash)
    if (postings) read = copyPostings(postings, chunk.start, room, read)
  }
  for (const [at, { terms }] of layout.loose.entries.entries()) {
    const found = indexInSorted(terms.hashes, hash)
    if (found < 0) continue
    positions[read] = layout.loose.start + at
    weights[read++] = terms.weights[found]!
  }
  let present = 0
  for (let at = 0; at < read; at++) {
    if (layout.present[positions[at]!] === 0) continue
    positions[present] = positions[at]!
    weights[present++] = weights[at]!
  }
  return present
}

/**
 * Adds the documents nearest in meaning to `found`, and returns the true likeness of all that is found then:
 * the best by sketch are looked at again with their full vectors.
 */
function scoreMeaning(
  rows: SearchRows,
  layout: Layout,
  { rough }: Room,
  passing: Passing,
  vector: Float32Array,
  candidates: number,
  found: Set<number>,
): Map<number, number> {
  scoreSketches(rows, layout, passing.possible, vector, rough)
  const hasVector = (position: number) => (layout.flags[position]! & HAS_VECTOR) !== 0
  const mayBeNear = (position: number) => hasVector(position) && passing.passes(position)
  const nearest = best(rough, mayBeNear, layout.tieBreaks, candidates * RESCORED)
  const cosines = new Map<number, number>()
  const positions = [...new Set([...found, ...nearest])].filter(hasVector)
  const numbers = positions.map((position) => layout.documents[position]!)
  const stored = rows.vectors(numbers, vector.length)
  for (const [at, position] of positions.entries()) {
    const its = stored.get(numbers[at]!)
    if (its) cosines.set(position, cosineWith(its, vector))
  }
  const sound = nearest.filter((position) => cosines.has(position))
  sound.sort((a, b) => cosines.get(b)! - cosines.get(a)! || layout.tieBreaks[a]! - layout.tieBreaks[b]!)
  for (const position of sound.slice(0, candidates)) found.add(position)
  return cosines
}

function scoreSketches(
  rows: SearchRows,
  layout: Layout,
  allowed: Uint8Array,
  vector: Float32Array,
  scores: Float32Array,
): void {
  const scorer = new SketchScorer(vector)
  for (const { number, start } of layout.chunks) {
    scorer.score(rows.sketches(number), allowed, scores, start)
  }
  for (const [at, { sketch }] of layout.loose.entries.entries()) {
    if (sketch) scorer.score(sketch, allowed, scores, layout.loose.start + at)
  }
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
