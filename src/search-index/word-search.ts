import { matchesFilter } from './filter.ts'
import type { Evidence, Filter } from './query.ts'
import type { Payload } from './search-index.ts'
import {
  coverageOf,
  type DocumentWords,
  documentTerms,
  inverseDocumentFrequency,
  massToCover,
  type QueryTerm,
  queryTerms,
  weightOf,
  wordShareOf,
} from './terms.ts'

interface Match {
  id: string
  payload: Payload
  /** Of the question's terms that it has. */
  weights: Map<number, number>
}

export interface WordSearchOptions {
  text: string
  /** See `SearchRequest`. */
  titled?: boolean | undefined
  filter?: Filter | undefined
  /** Of the documents; see `CollectionSpec`. */
  typicalLength?: number | undefined
}

/** Searches by words what is not in an index, with the evidence that an index would give: every document is looked at once. */
export class WordSearch {
  readonly #terms: readonly QueryTerm[]
  readonly #filter: Filter
  readonly #containing: Map<number, number>
  readonly #matches: Match[] = []
  readonly #typicalLength: number | undefined
  #documents = 0

  constructor({ text, titled, filter = {}, typicalLength }: WordSearchOptions) {
    this.#terms = queryTerms(text, { titled })
    this.#filter = filter
    this.#typicalLength = typicalLength
    this.#containing = new Map(this.#terms.map(({ hash }) => [hash, 0]))
  }

  get documents(): number {
    return this.#documents
  }

  look({ id, payload, ...words }: DocumentWords & { id: string; payload: () => Payload }): void {
    this.#documents++
    const { hashes, weights } = documentTerms(words, this.#typicalLength)
    const own = new Map<number, number>()
    for (const [at, hash] of hashes.entries()) {
      const containing = this.#containing.get(hash)
      if (containing === undefined) continue
      this.#containing.set(hash, containing + 1)
      own.set(hash, weightOf(weights[at]!))
    }
    if (own.size === 0) return
    const told = payload()
    if (matchesFilter(told, this.#filter)) this.#matches.push({ id, payload: told, weights: own })
  }

  evidence(): Evidence[] {
    const telling = new Map<number, number>()
    const common = new Set(this.#terms.flatMap((term) => (term.common ? term.hash : [])))
    for (const { hash, optional, weight } of this.#terms) {
      const containing = this.#containing.get(hash)!
      if (optional && containing === 0) continue
      telling.set(hash, weight * inverseDocumentFrequency(this.#documents, containing))
    }
    const mass = massToCover([...telling.values()])
    return this.#matches.map(({ id, payload, weights }) => {
      let [bm25, covered, ofCommon] = [0, 0, 0]
      for (const [hash, weight] of weights) {
        const worth = (telling.get(hash) ?? 0) * weight
        bm25 += worth
        covered += telling.get(hash) ?? 0
        if (common.has(hash)) ofCommon += worth
      }
      return {
        ...{ id, payload, bm25, among: this.#documents },
        coverage: coverageOf(covered, mass),
        wordShare: wordShareOf(bm25, mass),
        commonShare: wordShareOf(ofCommon, mass),
      }
    })
  }
}
