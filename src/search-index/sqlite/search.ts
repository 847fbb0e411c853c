import type { Evidence, SearchRequest } from '../query.ts'
import {
  coverageOf,
  inverseDocumentFrequency,
  massToCover,
  type QueryTerm,
  queryTerms,
  weightOf,
  wordShareOf,
} from '../terms.ts'
import { best } from './best.ts'
import { requireSound } from './checksum.ts'
import type { PackedCollection } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import type { Layout } from './layout.ts'
import { findNearest } from './nearest.ts'
import { copyPostings } from './postings.ts'
import { type Room, SearchRows } from './search-rows.ts'

export function searchCollection(
  db: IndexDatabase,
  collection: PackedCollection,
  {
    text,
    titled,
    vector,
    candidates,
    filter = {},
    details = false,
  }: Omit<SearchRequest, 'limit'> & { candidates: number },
): Evidence[] {
  const rows = new SearchRows(db)
  const layout = rows.layout(collection)
  const passing = rows.passing(collection, layout, filter)
  const room = rows.room(collection, layout)
  const { bm25, covered, common, cosines } = room
  const mass = scoreWords(rows, layout, room, queryTerms(text, { titled }))
  const isFound = (position: number) => bm25[position]! > 0 && passing.passes(position, rows)
  const found = new Set(best(bm25, isFound, layout.tieBreaks, candidates))
  if (vector) findNearest({ rows, layout, room, passing }, vector, candidates, found)
  const hasCosine = (position: number) => vector !== undefined && !Number.isNaN(cosines[position])
  const wanted = details ? [...found].filter(hasCosine) : []
  const detailed = rows.details(wanted.map((position) => layout.documents[position]!))
  const evidence = Array.from(found, (position): Evidence => {
    const number = layout.documents[position]!
    const { id, payload } = rows.document(number, layout.tieBreaks[position]!)
    const detail = detailed.get(number)
    return {
      id,
      payload,
      ...(hasCosine(position) && { cosine: cosines[position]! }),
      bm25: bm25[position]!,
      coverage: coverageOf(covered[position]!, mass),
      wordShare: wordShareOf(bm25[position]!, mass),
      commonShare: wordShareOf(common[position]!, mass),
      among: layout.live,
      ...(detail && { detail }),
    }
  })
  requireSound(new Set(evidence.map(({ id }) => id)).size === evidence.length)
  return evidence
}

/**
 * For every document of the collection, exactly: its BM25, and the IDF of those of the question's words that it has. Returns how much
 * there is to cover.
 */
function scoreWords(rows: SearchRows, layout: Layout, room: Room, terms: readonly QueryTerm[]): number {
  const { bm25, covered, common: ofCommon, positions, weights } = room
  const tellings: number[] = []
  for (const { hash, optional, weight, common } of terms) {
    const containing = readTerm(rows, layout, room, hash)
    if (optional && containing === 0) continue
    const telling = weight * inverseDocumentFrequency(layout.live, containing)
    tellings.push(telling)
    for (let at = 0; at < containing; at++) {
      const position = positions[at]!
      const worth = telling * weightOf(weights[at]!)
      bm25[position]! += worth
      covered[position]! += telling
      if (common) ofCommon[position]! += worth
    }
  }
  return massToCover(tellings)
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
