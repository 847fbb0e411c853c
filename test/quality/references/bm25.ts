import type { Document, Found } from '../shape.ts'

const K1 = 1.2
const B = 0.75

/**
 * BM25 as the textbook has it, over words without stop words and endings, written for comparison only: it shares nothing with the index
 * of the product. On LoCoMo it does as well as the plain BM25 that is published for it (53.9/61.3/69.3/75.0).
 */
export class PlainBm25 {
  readonly #documents: readonly Document[]
  readonly #lengths: number[] = []
  readonly #averageLength: number
  /** Of each word: how often it is in which document. */
  readonly #postings = new Map<string, Map<number, number>>()

  constructor(documents: readonly Document[]) {
    this.#documents = documents
    for (const [at, { text }] of documents.entries()) {
      const words = termsOf(text)
      this.#lengths.push(words.length)
      for (const word of words) {
        const counts = this.#postings.get(word) ?? new Map<number, number>()
        counts.set(at, (counts.get(at) ?? 0) + 1)
        this.#postings.set(word, counts)
      }
    }
    this.#averageLength = this.#lengths.reduce((sum, length) => sum + length, 0) / documents.length
  }

  rank(question: string, count: number): Found[] {
    const scores = new Map<number, number>()
    for (const word of new Set(termsOf(question))) {
      const counts = this.#postings.get(word) ?? new Map<number, number>()
      const telling = Math.log(1 + (this.#documents.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [at, frequency] of counts) {
        const length = 1 - B + (B * this.#lengths[at]!) / this.#averageLength
        const score = (telling * frequency * (K1 + 1)) / (frequency + K1 * length)
        scores.set(at, (scores.get(at) ?? 0) + score)
      }
    }
    return best(this.#documents, [...scores], count)
  }
}

/** The best first; of equals, the one that was stored first. */
export function best(
  documents: readonly Document[],
  scores: [at: number, score: number][],
  count: number,
): Found[] {
  return scores
    .sort(([at, score], [otherAt, otherScore]) => otherScore - score || at - otherAt)
    .slice(0, count)
    .map(([at, score]) => ({ ids: documents[at]!.answersFor ?? [documents[at]!.id], score }))
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

/** Those that every text has (NLTK's list). */
const STOP_WORDS = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them
  their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing
  a an the and but if or because as until while of at by for with about against between into through during before after above below to
  from up down in out on off over under again further then once here there when where why how all any both each few more most other some
  such no nor not only own same so than too very s t can will just don should now`.split(/\s+/),
)

function termsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(withoutEnding)
}

/** Plural, -ing and -ed, then a doubled consonant or a silent e: "stopped", "stopping" and "stops" are one. */
function withoutEnding(word: string): string {
  const singular = withoutPlural(word)
  const root = singular.replace(/(?<=.{3})ing$|(?<=.{3})ed$/, '').replace(/(?<=.{3})([bdfglmnprt])\1$/, '$1')
  return root.replace(/(?<=.{3})e$/, '')
}

function withoutPlural(word: string): string {
  if (/..(?<![ea])ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /(?:[^aeo]es|[^us]s)$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}
