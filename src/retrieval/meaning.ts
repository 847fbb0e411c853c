import { withinTime } from '../deferred.ts'
import type {
  Calibration,
  Embedder,
  EmbedderSource,
  EmbeddingKind,
  TokenVectors,
} from '../embedding/embedder.ts'
import { isRalphError, messageOf, RalphError, throwIfAborted } from '../errors.ts'
import type { Notices } from '../notices.ts'

/** The weighted mean of what these texts mean. */
export type Meanings = readonly { text: string; weight: number }[]

export interface QuestionMeaning {
  /** Absent when there is no embedder, or when it is too slow: then words have to do. */
  vector?: Float32Array
  /** Of a question of one text, where they were asked for and the embedder tells them. */
  tokens?: TokenVectors
  /** Whose the vector is. */
  embedderId?: string
  /** Empty without a vector. */
  calibration: Calibration
  /** Why meaning has no part in it; whoever asked says so when it is the trouble to speak of. */
  problem?: RalphError
}

/** Nobody who waits for an answer waits longer than this for the embedder to open, nor for it to embed. */
const PATIENCE_MS = 5_000
/** Key of the notice, shared by all who embed. */
const EMBEDDER = 'embedder'

/** The embedder as memories see it: it may be down, slow or switched off, which is said once, and it may come back. */
export class Meaning {
  readonly #embedder: EmbedderSource
  readonly #notices: Notices

  constructor({ embedder, notices }: { embedder: EmbedderSource; notices: Notices }) {
    this.#embedder = embedder
    this.#notices = notices
  }

  /** The embedder, or why there is none. Whoever waits for an answer is `hurried`. */
  async open({ hurried = false } = {}): Promise<{ embedder?: Embedder; problem?: RalphError }> {
    try {
      // One that opens late is there for the next who asks.
      return { embedder: await (hurried ? inPatience(() => this.#embedder()) : this.#embedder()) }
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
      tokens = false,
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
      const { id: embedderId } = embedder
      if (tokens && texts.length === 1 && embedder.embedTokens) {
        const embedding = (limited: AbortSignal) => embedder.embedTokens!(texts, 'query', limited)
        const [made] = await inPatience(embedding, signal)
        return { ...made!, embedderId, calibration: await this.calibrate(embedder, 'query', signal) }
      }
      const vectors = await inPatience((limited) => embedder.embed(texts, 'query', limited), signal)
      const calibration = await this.calibrate(embedder, 'query', signal)
      return { vector: blended(vectors, meanings), embedderId, calibration }
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

  sayItIsOff(error: unknown): void {
    const hint = isRalphError(error) && error.hint ? error.hint : 'ralph doctor'
    const message = `meaning is off, searching by words only: ${messageOf(error)}`
    this.#notices.once({ key: EMBEDDER, message, hint })
  }
}

/** Gives up on work that cannot be stopped, too. */
async function inPatience<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const late = new AbortController()
  const working = work(AbortSignal.any(signal ? [signal, late.signal] : [late.signal]))
  const result = await withinTime(working, PATIENCE_MS)
  if (result !== undefined) return result
  const why = `the embedder did not answer within ${PATIENCE_MS / 1_000} s`
  // The service behind it is then left alone for a while, by everybody.
  late.abort(new DOMException(why, 'TimeoutError'))
  throw new RalphError('timeout', why)
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
