import type { Schemas } from '@qdrant/js-client-rest'
import type { Evidence, Filter } from '../query.ts'
import type { Payload } from '../search-index.ts'
import { queryTerms } from '../terms.ts'
import type { QdrantConnection } from './connection.ts'
import { totalCost } from './cost.ts'
import { documentFilter } from './filter.ts'
import { type FoundMetadata, MEANING, metadataId, OURS, readMetadata, WORDS_VECTOR } from './metadata.ts'
import type { Whereabouts } from './places.ts'
import { numbersOf, payloadWanted, readPoint } from './points.ts'
import { pathOf } from './reading.ts'
import type { Limits } from './strict-mode.ts'
import type { WordScorer } from './word-scorer.ts'
import { type WordCounts, WordStatistics } from './word-statistics.ts'

type Query = Schemas['QueryRequest']
type Point = Schemas['ScoredPoint']

const SEARCH_EF = 128
/** Once, and once more where more was removed than is noted. */
const MOST_RECOUNTS = 2
/** How many a minute a server that limits reading shall at least be good for, if it is good for any. */
const SEARCHES_A_MINUTE = 20

export interface PlaceRequest {
  text: string
  titled: boolean | undefined
  /** Of unit length. */
  vector: Float32Array | undefined
  filter: Filter | undefined
  candidates: number
  details: boolean
}

export interface PlaceAnswer {
  /** What the collection says of itself. */
  metadata: FoundMetadata
  evidence: Evidence[]
}

/**
 * The same evidence as the embedded index gives, and what describes the collection, by one request. Qdrant finds the candidates
 * and counts; the numbers are computed here from each candidate's own terms. Only when its statistics are so far off that
 * others would be the best does it have to be asked once more.
 */
export class PlaceSearch {
  readonly #connection: QdrantConnection
  readonly #place: Whereabouts
  readonly #request: PlaceRequest
  readonly #limits: Limits
  readonly #signal: AbortSignal | undefined

  constructor(
    connection: QdrantConnection,
    place: Whereabouts,
    request: PlaceRequest,
    { limits, signal }: { limits: Limits; signal: AbortSignal | undefined },
  ) {
    this.#connection = connection
    this.#place = place
    this.#request = request
    this.#limits = limits
    this.#signal = signal
  }

  async run(): Promise<PlaceAnswer> {
    const { text, titled } = this.#request
    const words = new WordStatistics(this.#place, queryTerms(text, { titled }), this.#limits.results)
    const byMeaning = this.#byMeaning()
    const byWords = words.isEmpty ? [] : this.#byWords(words.question)
    const wanted = [this.#description(), ...byMeaning, ...byWords]
    const counting = words.searches(this.#tokens(totalCost(wanted)))
    const answers = await this.#ask([...wanted, ...counting])
    const metadata = readMetadata(answers[0]?.[0]?.payload)
    if (typeof metadata !== 'object') return { metadata, evidence: [] }
    const { documents } = metadata
    const near = answers.slice(1, 1 + byMeaning.length)
    let found = answers.slice(1 + byMeaning.length, wanted.length)
    const scorer =
      counting.length > 0
        ? (await this.#counted(words.counts(answers.slice(wanted.length), documents))).scorer()
        : words.byScores(found[0] ?? [], this.#candidates, documents)
    // Fewer than asked for are all that have any of the words: in whatever order they come.
    const { corrected } = scorer
    if (corrected && (found[0]?.length ?? 0) >= this.#candidates)
      found = await this.#ask(this.#byWords(corrected))
    return { metadata, evidence: this.#evidence({ near: near.flat(), found, scorer, documents }) }
  }

  /** Commoner words than were counted along with the search: rarely more than once. */
  async #counted(counts: WordCounts): Promise<WordCounts> {
    let known = counts
    for (let round = 0; round < MOST_RECOUNTS; round++) {
      const recounts = known.recounts(this.#limits.results)
      if (recounts.length === 0 || totalCost(recounts) > this.#tokens(0)) break
      known = known.recounted(await this.#ask(recounts), this.#limits.results)
    }
    return known
  }

  #evidence({
    near,
    found,
    scorer,
    documents,
  }: {
    near: Point[]
    found: Point[][]
    scorer: WordScorer
    documents: number
  }): Evidence[] {
    const cosines = new Map([...near, ...(found[1] ?? [])].map(({ id, score }) => [id, score]))
    const candidates = new Map([...near, ...(found[0] ?? [])].map((point) => [point.id, point]))
    return [...candidates.values()].map((point): Evidence => {
      const { id, payload, detail } = readPoint(this.#place, point as Parameters<typeof readPoint>[1])
      const cosine = cosines.get(point.id)
      return {
        id,
        payload: payload as Payload,
        ...(cosine !== undefined && { cosine }),
        ...scorer.score(point),
        among: documents,
        ...(detail && { detail }),
      }
    })
  }

  /** What a limited server leaves for counting, after what has to be spent: others want to search in the same minute. */
  #tokens(spent: number): number {
    const { readTokens } = this.#limits
    return readTokens === Infinity ? Infinity : readTokens / SEARCHES_A_MINUTE - spent
  }

  get #candidates(): number {
    return Math.min(this.#request.candidates, this.#limits.results)
  }

  get #filter(): Pick<Query, 'filter'> {
    const filter = documentFilter(this.#place, this.#request.filter)
    return filter ? { filter } : {}
  }

  #description(): Query {
    return { filter: { must: [{ has_id: [metadataId(this.#place.name)] }] }, limit: 1, with_payload: [OURS] }
  }

  #byMeaning(): Query[] {
    const near = this.#near()
    if (!near) return []
    const params = { hnsw_ef: Math.min(SEARCH_EF, this.#limits.hnswEf) }
    return [
      {
        ...near,
        ...this.#filter,
        params,
        limit: this.#candidates,
        with_payload: payloadWanted(this.#request.details),
        with_vector: [WORDS_VECTOR],
      },
    ]
  }

  /** Those with the words, and how near the same are in meaning. */
  #byWords(query: Schemas['SparseVector']): Query[] {
    const wanted = { query, using: WORDS_VECTOR, ...this.#filter, limit: this.#candidates }
    const near = this.#near()
    return [
      { ...wanted, with_payload: payloadWanted(this.#request.details), with_vector: [WORDS_VECTOR] },
      ...(near ? [{ prefetch: [wanted], ...near, limit: this.#candidates, with_payload: false }] : []),
    ]
  }

  #near(): Pick<Query, 'query' | 'using'> | undefined {
    const { vector } = this.#request
    return vector && { query: numbersOf(vector), using: MEANING }
  }

  /** One request, unless the server allows fewer searches in one, or for less. */
  async #ask(searches: readonly Query[]): Promise<Point[][]> {
    const path = `${pathOf(this.#place.collection)}/points/query/batch`
    const answers = await Promise.all(
      [...partsOf(searches, this.#limits)].map((some) =>
        this.#connection.attempt<Schemas['QueryResponse'][]>(
          { method: 'POST', path, body: { searches: some } },
          { signal: this.#signal, waits: this.#limits.waits },
        ),
      ),
    )
    return answers.flat().map(({ points }) => points)
  }
}

function* partsOf(searches: readonly Query[], limits: Limits): Generator<Query[]> {
  let part: Query[] = []
  for (const search of searches) {
    const isFull = part.length >= limits.searches || totalCost([...part, search]) > limits.readTokens
    if (part.length > 0 && isFull) {
      yield part
      part = []
    }
    part.push(search)
  }
  if (part.length > 0) yield part
}
