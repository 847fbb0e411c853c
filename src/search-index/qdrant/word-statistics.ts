import type { Schemas } from '@qdrant/js-client-rest'
import { deterministicUuid } from '../../text/ids.ts'
import { hash32, inverseDocumentFrequency, type QueryTerm } from '../terms.ts'
import { totalCost } from './cost.ts'
import { OURS, WORDS_VECTOR } from './metadata.ts'
import { dimensionOf, type Whereabouts } from './places.ts'
import { tellingByScores, type Weighed, WordScorer, wordsOf } from './word-scorer.ts'

type Query = Schemas['QueryRequest']
type Point = Schemas['ScoredPoint']

/** How many documents with its words are counted one by one at first, over all words of a question. */
const MOST_COUNTED = 1_600
const COUNTED_PER_WORD = { fewest: 8, most: 1_000 } as const

/** A dimension that no word has, but for one in four thousand million. */
const ANCHOR_DIMENSION = hash32('\0anchor')
/** A point with a word of its own, never written again: its score tells how many Qdrant counts in all. */
export const ANCHOR: Schemas['PointStruct'] = {
  id: deterministicUuid('anchor'),
  vector: { [WORDS_VECTOR]: { indices: [ANCHOR_DIMENSION], values: [1] } },
  payload: { [OURS]: { kind: 'anchor' } },
}

interface Word {
  dimension: number
  optional: boolean
  weight: number
  common: boolean
  theirs: number
  /** So many were seen. */
  seen: number
  /** So many have it at least and at most, by what is thought to be removed; the same where it is known. */
  fewest: number
  most: number
  /** Where nobody knows better. */
  likely: number
}

/**
 * How telling the words of a question are. Qdrant's own statistics count removed and rewritten documents until it gets round to
 * clearing them away, and with tenants those of everybody. So those that have a word are counted by a search for it, which finds
 * only what is there.
 */
export class WordStatistics {
  readonly #place: Whereabouts
  readonly #terms: readonly QueryTerm[]
  readonly #dimensions: readonly number[]
  readonly #counted: number

  constructor(place: Whereabouts, terms: readonly QueryTerm[], mostResults: number) {
    this.#place = place
    this.#terms = terms
    this.#dimensions = this.#terms.map(({ hash }) => dimensionOf(place, hash))
    const share = Math.floor(MOST_COUNTED / Math.max(1, this.#terms.length))
    const { fewest, most } = COUNTED_PER_WORD
    this.#counted = Math.min(mostResults, most, Math.max(fewest, share))
  }

  get isEmpty(): boolean {
    return this.#terms.length === 0
  }

  /** The words as Qdrant weighs them. */
  get question(): Schemas['SparseVector'] {
    return { indices: [...this.#dimensions], values: this.#terms.map(({ weight }) => weight) }
  }

  /**
   * One for the whole, one for each word that tells Qdrant's idea of it, and one that counts: or as much of that as a limited
   * server gives for `tokens`.
   */
  searches(tokens = Infinity): Query[] {
    if (this.isEmpty) return []
    const asking = [
      search(ANCHOR_DIMENSION, { limit: 1 }),
      ...this.#dimensions.map((dimension) => search(dimension, { limit: 1, with_vector: [WORDS_VECTOR] })),
    ]
    const counting = this.#dimensions.map((dimension) => search(dimension, { limit: this.#counted }))
    return [[...asking, ...counting], asking].find((some) => totalCost(some) <= tokens) ?? []
  }

  /** From the answers to the searches, in their order. */
  counts(answers: readonly Point[][], documents: number): WordCounts {
    const [anchor = [], ...rest] = answers
    const { tenant } = this.#place
    // Qdrant's IDF is ln((all + 1) / (containing + 0.5)); of the anchor there is one.
    const all = anchor[0] ? 1.5 * Math.exp(anchor[0].score) - 1 : documents + 1
    const others = Math.max(0, Math.round(all) - 1)
    const own = tenant === undefined ? Math.min(documents, others) : documents
    const removed = tenant === undefined ? wholeNumber(others - own, others) : Infinity
    const hasCounts = rest.length > this.#terms.length
    const words = this.#dimensions.map((dimension, at): Word => {
      const probe = rest[at]?.[0]
      const stored = probe && wordsOf(probe).get(dimension)
      const theirs = stored ? probe.score / stored : 0
      const seen = rest[this.#terms.length + at]?.length ?? (probe ? 1 : 0)
      const { optional, weight, common } = this.#terms[at]!
      const isAll = theirs === 0 || (hasCounts && seen < this.#counted)
      const most = isAll ? seen : Math.max(seen, Math.round((all + 1) / Math.exp(theirs) - 0.5))
      const share = tenant === undefined && others > 0 ? own / others : 1
      const likely = Math.max(seen, Math.round(most * share))
      const fewest = Math.max(seen, most - removed)
      return { dimension, optional, weight, common, theirs, seen, most, likely, fewest }
    })
    return new WordCounts(words, own)
  }

  /** Where the server gives nothing for counting: by what it found and how it ranked it. */
  byScores(found: readonly Point[], mostFound: number, documents: number): WordScorer {
    const containing = new Map(this.#dimensions.map((dimension) => [dimension, 0]))
    for (const point of found)
      for (const dimension of wordsOf(point).keys())
        if (containing.has(dimension)) containing.set(dimension, containing.get(dimension)! + 1)
    // As scores tell it: by how much it is asked for, too.
    const guess = new Map(
      this.#dimensions.map((dimension, at) => {
        const many = containing.get(dimension)!
        const telling = inverseDocumentFrequency(Math.max(documents, many), many)
        return [dimension, this.#terms[at]!.weight * telling]
      }),
    )
    // All that have any of the words: then they are counted.
    const telling = found.length < mostFound ? guess : tellingByScores(found, guess)
    return new WordScorer(
      this.#dimensions.flatMap((dimension, at) =>
        this.#terms[at]!.optional && containing.get(dimension) === 0
          ? []
          : [
              {
                dimension,
                weight: 1,
                common: this.#terms[at]!.common,
                telling: telling.get(dimension)!,
                theirs: 0,
              },
            ],
      ),
    )
  }
}

/** How many documents have each word: known, or within bounds that can be asked about. */
export class WordCounts {
  readonly #words: readonly Word[]
  readonly #documents: number

  constructor(words: readonly Word[], documents: number) {
    this.#words = words
    this.#documents = documents
  }

  /**
   * For each word that is not counted yet: the end of the list of those that have it, from where the list goes for certain to
   * where it may go at most. So no more is sent than were removed.
   */
  recounts(mostResults: number): Query[] {
    return this.#open.map((word) =>
      search(word.dimension, { offset: before(word.fewest), limit: lengthOf(word, mostResults) }),
    )
  }

  recounted(answers: readonly Point[][], mostResults: number): WordCounts {
    const open = this.#open
    const words = this.#words.map((word): Word => {
      const found = answers[open.indexOf(word)]?.length
      if (found === undefined) return word
      const { fewest, seen, likely } = word
      // The list does not even go that far: more were removed than anybody noted.
      if (found === 0) return known({ ...word, fewest: seen, most: before(fewest), likely: seen })
      const containing = before(fewest) + found
      return found < lengthOf(word, mostResults)
        ? { ...word, fewest: containing, most: containing, likely: containing }
        : { ...word, fewest: containing, most: containing, likely: Math.max(containing, likely) }
    })
    return new WordCounts(words, this.#documents)
  }

  scorer(): WordScorer {
    return new WordScorer(
      this.#words.flatMap(({ dimension, optional, weight, common, theirs, likely }): Weighed[] => {
        if (optional && likely === 0) return []
        const total = Math.max(this.#documents, likely)
        return [{ dimension, weight, common, theirs, telling: inverseDocumentFrequency(total, likely) }]
      }),
    )
  }

  get #open(): Word[] {
    return this.#words.filter(({ fewest, most }) => fewest < most)
  }
}

/** Scores have seven digits: of a million documents one more or less cannot be told. */
function wholeNumber(removed: number, among: number): number {
  return removed > among * LEAST_SHARE ? removed : 0
}
const LEAST_SHARE = 4e-6

/** One that certainly has the word comes along, as a proof. */
function before(fewest: number): number {
  return Math.max(0, fewest - 1)
}

/** One more than there can be: whoever gets it has not got all. */
function lengthOf({ fewest, most }: Word, mostResults: number): number {
  return Math.min(mostResults, most - before(fewest) + 1)
}

function known(word: Word): Word {
  return word.most <= word.seen ? { ...word, fewest: word.seen, most: word.seen } : word
}

function search(
  dimension: number,
  {
    limit,
    offset = 0,
    with_vector = false,
  }: { limit: number; offset?: number; with_vector?: false | string[] },
): Query {
  const query = { indices: [dimension], values: [1] }
  const page = { limit, ...(offset > 0 && { offset }) }
  return { query, using: WORDS_VECTOR, ...page, with_payload: false, with_vector }
}
