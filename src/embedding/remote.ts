import { type RalphError, throwIfAborted } from '../errors.ts'
import { deadline, type Service, serviceError } from '../services/service.ts'
import { calibrationAbove, floorOf, UNRELATED } from './calibration.ts'
import type { Calibration, Embedder, EmbedderHealth, EmbeddingKind } from './embedder.ts'
import type { KnownModel } from './models.ts'
import { withRetries } from './retry.ts'
import { CHECK_TIMEOUT_MS, EMBED_TIMEOUT_MS, PATIENCE } from './service.ts'
import { cutToTokens, embedNonBlank, readVectors, splitByTokens } from './vectors.ts'

/** Raise when prefixes change: vectors made with others do not fit. */
const PREFIX_VERSION = 1

/** A service that has let us wait in vain is left alone so long: whoever asks meanwhile is told at once. */
const SHUNNED_MS = 30_000

/** In characters: fewer than any model reads. */
const SHORTEST = 200

/** One kind of service: how to ask it, and how to find out how it is. */
export interface EmbeddingTransport {
  embed(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: readonly unknown[]; tokens: number }>
  /** One line for people; throws when something is missing. */
  inspect(signal: AbortSignal): Promise<string>
}

export interface RemoteOptions {
  provider: string
  service: Service
  known: KnownModel
  transport: EmbeddingTransport
  /** Most texts and tokens in one request. */
  limits: { texts: number; tokens: number }
  timeouts?: { embedMs?: number; checkMs?: number } | undefined
}

/** A model nobody told us about is asked once, for its dimensions and for what it thinks of unrelated texts. */
export async function openRemoteEmbedder(options: RemoteOptions): Promise<Embedder> {
  const client = new RemoteClient(options)
  const { dimensions, floor } = options.known
  if (dimensions === undefined || floor === undefined) {
    const queries = await client.embed(UNRELATED.queries, 'query')
    client.dimensions ??= queries[0]!.length
    const documents = await client.embed(UNRELATED.documents, 'document')
    return new RemoteEmbedder(
      client,
      client.dimensions,
      calibrationAbove(floor ?? floorOf(queries, documents)),
    )
  }
  return new RemoteEmbedder(client, dimensions, calibrationAbove(floor))
}

/** Requests with prefixes, limits, retries and errors that say what to do. */
class RemoteClient {
  readonly options: RemoteOptions
  readonly usage = { requests: 0, texts: 0, tokens: 0, costUsd: 0 }
  /** Once they are known, nothing else is accepted. */
  dimensions: number | undefined
  #silent: { error: RalphError; until: number } | undefined

  constructor(options: RemoteOptions) {
    this.options = options
    this.dimensions = options.known.dimensions
  }

  async embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    const { known, limits } = this.options
    const prefix = known.prefixes?.[kind] ?? ''
    const inputs = texts.map((text) => cutToTokens(prefix + text, known.context))
    const vectors: Float32Array[] = []
    for (const part of splitByTokens(inputs, limits.texts, limits.tokens)) {
      const attempt = () => {
        if (this.#silent && performance.now() < this.#silent.until) throw this.#silent.error
        return this.#request(part, this.options.timeouts?.embedMs ?? EMBED_TIMEOUT_MS, signal)
      }
      vectors.push(...(await withRetries(attempt, { patience: PATIENCE[kind], signal })))
    }
    return vectors
  }

  /** What the service says about itself, and whether it really embeds. */
  async check(signal?: AbortSignal): Promise<EmbedderHealth> {
    const { transport, service, timeouts } = this.options
    const timeoutMs = timeouts?.checkMs ?? CHECK_TIMEOUT_MS
    try {
      const detail = await transport.inspect(deadline(timeoutMs, signal))
      await this.#request(['test'], timeoutMs, signal)
      return { ok: true, detail }
    } catch (error) {
      const { code, message, hint } = serviceError(error, service, signal)
      if (code === 'cancelled') throwIfAborted(signal)
      return { ok: false, detail: message, ...(hint && { hint }) }
    }
  }

  async #request(texts: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<Float32Array[]> {
    const { transport, service, known } = this.options
    try {
      const { vectors, tokens } = await transport.embed(texts, deadline(timeoutMs, signal))
      // Counted before the vectors are looked at: nonsense is billed as well.
      this.usage.requests++
      this.usage.tokens += tokens
      this.usage.costUsd += (tokens * (known.price ?? 0)) / 1_000_000
      this.#silent = undefined
      return readVectors(vectors, { count: texts.length, dimensions: this.dimensions }, service)
    } catch (error) {
      const shorter = isTooLong(error) ? halved(texts) : undefined
      if (shorter) return this.#request(shorter, timeoutMs, signal)
      const failure = serviceError(error, service, signal)
      if (failure.code === 'timeout') this.#silent = { error: failure, until: performance.now() + SHUNNED_MS }
      throw failure
    }
  }
}

/** Our estimate of tokens can be wrong, and some servers refuse what they promise to cut. */
function isTooLong(error: unknown): boolean {
  return (
    error instanceof Error &&
    /context length|too (?:long|many tokens)|maximum.{0,200}tokens/i.test(error.message)
  )
}

/** Undefined when the texts are so short already that their length cannot be the trouble. */
function halved(texts: readonly string[]): string[] | undefined {
  if (texts.every(({ length }) => length <= SHORTEST)) return undefined
  return texts.map((text) => text.slice(0, Math.max(SHORTEST, Math.floor(text.length / 2))).toWellFormed())
}

class RemoteEmbedder implements Embedder {
  readonly id: string
  readonly model: string
  readonly dimensions: number
  readonly maxBatch: number
  readonly calibration: Calibration
  readonly usage: RemoteClient['usage']
  readonly #client: RemoteClient

  constructor(client: RemoteClient, dimensions: number, calibration: Calibration) {
    const { provider, service, known, limits } = client.options
    const prefixes = known.prefixes ? `:prefixed-${PREFIX_VERSION}` : ''
    this.id = `${provider}:${service.model}:${dimensions}${prefixes}`
    this.model = service.model
    this.dimensions = dimensions
    this.maxBatch = limits.texts
    this.calibration = calibration
    this.usage = client.usage
    this.#client = client
  }

  async embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    throwIfAborted(signal)
    const vectors = await embedNonBlank(texts, this.dimensions, (telling) =>
      this.#client.embed(telling, kind, signal),
    )
    this.usage.texts += texts.length
    return vectors
  }

  check(signal?: AbortSignal): Promise<EmbedderHealth> {
    return this.#client.check(signal)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
