import type { Schemas } from '@qdrant/js-client-rest'
import type { Evidence, Filter, Payload } from '../search-index.ts'
import { coverageOf, inverseDocumentFrequency, massToCover, type QueryTerm, queryTerms } from '../terms.ts'
import type { QdrantConnection } from './connection.ts'
import { documentFilter } from './filter.ts'
import { type CollectionPlace, dimensionOf, MEANING, WORDS_VECTOR } from './places.ts'
import { readPoint } from './points.ts'

type Query = Schemas['QueryRequest']
type Point = Schemas['ScoredPoint']

const SEARCH_EF = 128

interface PlaceRequest {
  text: string
  vector: Float32Array | undefined
  filter: Filter | undefined
  candidates: number
}

/**
 * The same evidence as the embedded index gives. Qdrant finds the candidates and tells, by one small query for each
 * word, its IDF; the numbers themselves are computed here from each candidate's own terms.
 */
export async function searchPlace(
  connection: QdrantConnection,
  place: CollectionPlace,
  request: PlaceRequest,
  signal?: AbortSignal,
): Promise<Evidence[]> {
  const terms = queryTerms(request.text)
  const dimensions = terms.map(({ hash }) => dimensionOf(place, hash))
  const filter = documentFilter(place, request.filter)
  const wanted = { filter, limit: request.candidates, with_payload: true, with_vector: [WORDS_VECTOR] }
  const searches: Query[] = dimensions.map((dimension) => ({
    query: { indices: [dimension], values: [1] },
    using: WORDS_VECTOR,
    limit: 1,
    with_payload: false,
    with_vector: [WORDS_VECTOR],
  }))
  if (dimensions.length > 0) {
    searches.push({
      ...wanted,
      query: { indices: dimensions, values: dimensions.map(() => 1) },
      using: WORDS_VECTOR,
    })
  }
  if (request.vector) searches.push({ ...wanted, ...nearest(request.vector), params: { hnsw_ef: SEARCH_EF } })
  if (searches.length === 0) return []
  const [results, sizes] = await Promise.all([
    connection.call((client) => client.queryBatch(place.collection, { searches }), {
      signal,
      ifMissing: () => [],
    }),
    countDocuments(connection, place, signal),
  ])
  const probes = results.slice(0, terms.length).map(({ points }) => points[0])
  const lists = results.slice(terms.length).map(({ points }) => points)
  const scorer = new WordScorer(terms, dimensions, probes, sizes)
  const candidates = new Map(lists.flat().map((point) => [String(point.id), point]))
  const cosines = await cosinesOf(connection, place, request, lists, candidates, signal)
  return [...candidates.values()].map((point) => {
    const { id, payload } = readPoint(place, point)
    const cosine = cosines.get(String(point.id))
    return {
      id,
      payload: payload as Payload,
      ...(cosine !== undefined && { cosine }),
      ...scorer.score(point),
    }
  })
}

interface Sizes {
  /** Documents of this place: what IDF is about. */
  own: number
  /** Documents of Qdrant's whole collection: what its own IDF is about. */
  all: number
}

async function countDocuments(
  connection: QdrantConnection,
  place: CollectionPlace,
  signal?: AbortSignal,
): Promise<Sizes> {
  const count = async (filter: Schemas['Filter']) => {
    const counted = await connection.call(
      (client) => client.count(place.collection, { filter, exact: true }),
      {
        signal,
        ifMissing: () => ({ count: 0 }),
      },
    )
    return counted.count
  }
  const own = count(documentFilter(place))
  const all = place.tenant === undefined ? own : count(documentFilter({ ...place, tenant: undefined }))
  return { own: await own, all: await all }
}

/** Those nearest in meaning come with theirs; for those found by words Qdrant is asked once more. */
async function cosinesOf(
  connection: QdrantConnection,
  place: CollectionPlace,
  { vector }: PlaceRequest,
  lists: readonly Point[][],
  candidates: ReadonlyMap<string, Point>,
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  if (!vector) return new Map()
  const cosines = new Map((lists.at(-1) ?? []).map(({ id, score }) => [String(id), score]))
  const missing = [...candidates.keys()].filter((id) => !cosines.has(id))
  if (missing.length === 0) return cosines
  const query = {
    ...nearest(vector),
    filter: { must: [{ has_id: missing }] },
    limit: missing.length,
    params: { exact: true },
    with_payload: false,
  }
  const { points } = await connection.call((client) => client.query(place.collection, query), {
    signal,
    ifMissing: () => ({ points: [] }),
  })
  for (const { id, score } of points) cosines.set(String(id), score)
  return cosines
}

function nearest(vector: Float32Array): Pick<Query, 'query' | 'using'> {
  return { query: Array.from(vector), using: MEANING }
}

class WordScorer {
  readonly #telling = new Map<number, number>()
  readonly #mass: number

  constructor(
    terms: readonly QueryTerm[],
    dimensions: readonly number[],
    probes: readonly (Point | undefined)[],
    { own, all }: Sizes,
  ) {
    for (const [at, dimension] of dimensions.entries()) {
      const containing = documentsContaining(dimension, probes[at], all)
      if (terms[at]!.optional && containing === 0) continue
      const telling = inverseDocumentFrequency(own, Math.min(containing, own))
      this.#telling.set(dimension, telling)
    }
    this.#mass = massToCover([...this.#telling.values()])
  }

  score(point: Point): { bm25: number; coverage: number } {
    let bm25 = 0
    let covered = 0
    for (const [dimension, weight] of wordsOf(point)) {
      const telling = this.#telling.get(dimension)
      if (telling === undefined) continue
      bm25 += telling * weight
      covered += telling
    }
    return { bm25, coverage: coverageOf(covered, this.#mass) }
  }
}

/**
 * A probe's score is the term's weight in that document times Qdrant's IDF, ln((all + 1) / (containing + 0.5)), from
 * which follows how many documents contain the term.
 */
function documentsContaining(dimension: number, probe: Point | undefined, all: number): number {
  const weight = probe && wordsOf(probe).get(dimension)
  if (!weight) return 0
  return Math.max(1, Math.round((all + 1) / Math.exp(probe.score / weight) - 0.5))
}

function wordsOf({ vector }: Point): Map<number, number> {
  const named = vector instanceof Object && !Array.isArray(vector) ? vector[WORDS_VECTOR] : undefined
  const { indices, values } = (named ?? { indices: [], values: [] }) as Schemas['SparseVector']
  return new Map(indices.map((dimension, at) => [dimension, values[at]!]))
}
