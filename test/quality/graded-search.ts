import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embedAll } from '../../src/embedding/embed-all.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../../src/embedding/local.ts'
import { fuse, type Hit, type WordGate } from '../../src/retrieval/fusion.ts'
import type { Evidence, SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { deterministicUuid, sha256 } from '../../src/text/ids.ts'

export interface Document {
  id: string
  embedded: string
  /** Words that are searched beside those that are embedded. */
  alsoSearched?: string
}
export interface Question {
  text: string
  relevant: readonly string[]
  kind?: string
}
/** Ids in the order in which each way of searching ranks them. */
export interface Answer {
  question: Question
  words: string[]
  meaning: string[]
  /** Everything, however weak. */
  fused: string[]
  hits: Hit[]
}

/** The product's own parts, end to end: local embedder, embedded index, fusion. */
export class GradedSearch {
  readonly #folder: string
  readonly #embedder: Embedder
  readonly #index: SearchIndex

  private constructor(folder: string, embedder: Embedder, index: SearchIndex) {
    this.#folder = folder
    this.#embedder = embedder
    this.#index = index
  }

  static async open(): Promise<GradedSearch> {
    const folder = await mkdtemp(join(tmpdir(), 'ralph-quality-'))
    const embedder = await openLocalEmbedder({ cacheDir: folder })
    return new GradedSearch(folder, embedder, openSqliteIndex({ path: join(folder, 'index.db') }))
  }

  async close(): Promise<void> {
    await this.#index.close()
    await this.#embedder.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async add(collection: string, documents: readonly Document[]): Promise<void> {
    const { id: embedderId, dimensions } = this.#embedder
    const vectors = await embedAll(
      this.#embedder,
      documents.map(({ embedded }) => embedded),
    )
    await this.#index.write(
      { name: collection, embedderId, dimensions, filterable: [] },
      {
        put: documents.map(({ id, embedded, alsoSearched = '' }, at) => ({
          id: deterministicUuid(collection, id),
          text: `${embedded}\n${alsoSearched}`,
          textHash: sha256(embedded),
          vector: vectors[at]!,
          payload: { id },
        })),
      },
    )
  }

  async ask(
    collection: string,
    questions: readonly Question[],
    { limit = 50, wordGate }: { limit?: number; wordGate?: WordGate } = {},
  ): Promise<Answer[]> {
    const texts = questions.map(({ text }) => text)
    const vectors = await embedAll(this.#embedder, texts, { kind: 'query' })
    const answers: Answer[] = []
    for (const [at, question] of questions.entries()) {
      const request = { text: question.text, vector: vectors[at]!, limit }
      const evidence = await this.#index.search(collection, request)
      const options = { calibration: this.#embedder.calibration, limit, ...(wordGate && { wordGate }) }
      answers.push({
        question,
        words: ranked(evidence, ({ bm25 }) => bm25),
        meaning: ranked(evidence, ({ cosine = 0 }) => cosine),
        fused: fuse(evidence, { ...options, minScore: 0 }).map(({ payload }) => payload['id'] as string),
        hits: fuse(evidence, { ...options, minScore: 0.4 }),
      })
    }
    return answers
  }
}

function ranked(evidence: readonly Evidence[], score: (one: Evidence) => number): string[] {
  return evidence
    .filter((one) => score(one) > 0)
    .sort((a, b) => score(b) - score(a) || (a.id < b.id ? -1 : 1))
    .map(({ payload }) => payload['id'] as string)
}

type Way = 'words' | 'meaning' | 'fused'

/** How high the first right answer stands, as the mean of 1/rank. */
export function meanReciprocalRank(answers: readonly Answer[], way: Way): number {
  return mean(answers, ({ question, [way]: found }) => {
    const rank = found.findIndex((id) => question.relevant.includes(id))
    return rank < 0 ? 0 : 1 / (rank + 1)
  })
}

/** Share of the questions with a right answer among the first `count`. */
export function hitRate(answers: readonly Answer[], way: Way, count: number): number {
  return mean(answers, ({ question, [way]: found }) =>
    found.slice(0, count).some((id) => question.relevant.includes(id)) ? 1 : 0,
  )
}

/** Share of all right answers among the first `count`. */
export function recall(answers: readonly Answer[], way: Way, count: number): number {
  return mean(answers, ({ question, [way]: found }) => {
    const right = found.slice(0, count).filter((id) => question.relevant.includes(id))
    return right.length / question.relevant.length
  })
}

function mean(answers: readonly Answer[], value: (answer: Answer) => number): number {
  return answers.reduce((sum, answer) => sum + value(answer), 0) / answers.length
}

export function percent(value: number): string {
  return (100 * value).toFixed(1)
}
