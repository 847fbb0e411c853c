import type {
  Calibration,
  Embedder,
  EmbedderSource,
  EmbeddingKind,
  TokenVectors,
} from '../embedding/embedder.ts'
import { isRalphError, messageOf, type RalphError, throwIfAborted } from '../errors.ts'
import type { Notices } from '../notices.ts'
import { inPatience } from './patience.ts'
import { questionVectors } from './question-vectors.ts'
import { PATIENCE_SECONDS } from './relevance.ts'

/** The weighted mean of what these texts mean. */
export type Meanings = readonly { text: string; weight: number }[]

export interface QuestionMeaning {
  /** Absent when there is no embedder, or when it is too slow: then words have to do. */
  vector?: Float32Array
  /** Of a question of one text, where the embedder tells them and somebody has asked for them. */
  tokens?: TokenVectors
  /** Whose the vector is. */
  embedderId?: string
  /** Empty without a vector. */
  calibration: Calibration
  /** Why meaning has no part in it; whoever asked says so when it is the trouble to speak of. */
  problem?: RalphError
}

/** Key of the notice, shared by all who embed. */
const EMBEDDER = 'embedder'

export interface MeaningParts {
  embedder: EmbedderSource
  notices: Notices
  /** How long whoever waits for an answer waits for the embedder to open, and for it to embed. */
  patienceMs?: number | undefined
}

/** The embedder as memories see it: it may be down, slow or switched off, which is said once, and it may come back. */
export class Meaning {
  readonly #embedder: EmbedderSource
  readonly #notices: Notices
  readonly #patienceMs: number

  constructor({ embedder, notices, patienceMs = 1_000 * PATIENCE_SECONDS }: MeaningParts) {
    this.#embedder = embedder
    this.#notices = notices
    this.#patienceMs = patienceMs
  }

  /** The embedder, or why there is none. Whoever waits for an answer is `hurried`. */
  async open({ hurried = false } = {}): Promise<{ embedder?: Embedder; problem?: RalphError }> {
    try {
      // One that opens late is there for the next who asks.
      return { embedder: await (hurried ? this.#inPatience(() => this.#embedder()) : this.#embedder()) }
    } catch (error) {
      if (!isRalphError(error)) throw error
      return { problem: error }
    }
  }

  /** The embedder, or undefined after having said once why there is none. */
  async openIfUp(): Promise<Embedder | undefined> {
    const { embedder, problem } = await this.open({ hurried: true })
    if (problem) this.sayItIsOff(problem)
    return embedder
  }

  /** `fits` tells whether anything can be found by this embedder's vectors. */
  async ofQuestion(
    meanings: Meanings,
    {
      signal,
      fits,
      tokens: withTokens = false,
    }: {
      signal?: AbortSignal | undefined
      fits?: (embedder: Embedder) => Promise<boolean>
      tokens?: boolean
    } = {},
  ): Promise<QuestionMeaning> {
    const { embedder, problem } = await this.open({ hurried: true })
    if (!embedder) return { calibration: [], ...(problem && { problem }) }
    if (fits && !(await fits(embedder))) return { calibration: [] }
    try {
      const texts = meanings.map(({ text }) => text)
      const made = await this.#inPatience(
        (limited) => questionVectors(embedder, texts, { tokens: withTokens, signal: limited }),
        signal,
      )
      const calibration = await this.calibrate(embedder, 'query', signal)
      const vectors = made.map(({ vector }) => vector)
      const { tokens } = made[0]!
      return {
        vector: blended(vectors, meanings),
        ...(tokens && { tokens }),
        embedderId: embedder.id,
        calibration,
      }
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      return { calibration: [], problem: error }
    }
  }

  /** Scores are worth what they say once the model has been measured; until then they are estimated, which is said once. */
  async calibrate(embedder: Embedder, kind: EmbeddingKind, signal?: AbortSignal): Promise<Calibration> {
    try {
      await embedder.calibrate?.(kind, signal)
    } catch (error) {
      throwIfAborted(signal)
      if (!isRalphError(error)) throw error
      this.#notices.once({
        key: 'embedder-calibration',
        message: `how closely ${embedder.model} finds texts alike could not be measured yet, scores are estimates: ${messageOf(error)}`,
        harmless: true,
      })
    }
    return embedder.calibration
  }

  /** Opening proves nothing; an embedding does. If it goes down again, that is said again. */
  sayItWorks(): void {
    this.#notices.recovered(EMBEDDER)
  }

  #inPatience<Result>(work: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return inPatience(work, { milliseconds: this.#patienceMs, notices: this.#notices, signal })
  }

  sayItIsOff(error: unknown): void {
    const hint = isRalphError(error) && error.hint ? error.hint : 'ralph doctor'
    const message = `meaning is off, searching by words only: ${messageOf(error)}`
    this.#notices.once({ key: EMBEDDER, message, hint })
  }
}

/** Of unit length, as all vectors are. */
function blended(vectors: readonly Float32Array[], meanings: Meanings): Float32Array {
  const [first] = vectors
  if (vectors.length === 1) return first!
  const sum = new Float32Array(first!.length)
  for (const [at, vector] of vectors.entries()) {
    for (let dimension = 0; dimension < sum.length; dimension++)
      sum[dimension]! += meanings[at]!.weight * vector[dimension]!
  }
  const length = Math.hypot(...sum)
  return length === 0 ? first! : sum.map((value) => value / length)
}
