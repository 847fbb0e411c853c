import { isRalphError, throwIfAborted } from '../errors.ts'
import { mayBeCharged } from '../services/charged.ts'
import { outliving } from '../services/outliving.ts'
import { type CallCost, counted, type PaidCalls, UNCOUNTED } from '../services/paid-calls.ts'
import { withRetries } from '../services/retry.ts'
import { deadline, type Service, serviceError } from '../services/service.ts'
import { ServiceWork } from '../services/service-work.ts'
import {
  CHECK_TIMEOUT_MS,
  LEFT_ALONE_MS,
  PROBE_TIMEOUT_MS,
  SilentServices,
} from '../services/silent-services.ts'
import type { EmbedderHealth, EmbeddingKind } from './embedder.ts'
import type { KnownModel } from './models.ts'
import { EMBED_TIMEOUT_MS, PATIENCE } from './service.ts'
import { cutToTokens, readVectors, splitByTokens, tokensOfAll } from './vectors.ts'

/** In characters: fewer than any model reads. */
const SHORTEST = 200

/** What a search asks at once. */
const FEW = 4

/** One kind of service: how to ask it, and how to find out how it is. */
export interface EmbeddingTransport {
  /** True where a model is loaded on demand, for as long as somebody asks for it. */
  loadsModels?: boolean
  /** Tokens are absent where the service does not count them. */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: readonly unknown[]; tokens?: number | undefined }>
  /** One line for people; throws when something is missing. Answered at once by a service that works. */
  inspect(signal: AbortSignal): Promise<string>
  /** What changes with the content of the model, where the service tells. */
  version?(signal: AbortSignal): Promise<string | undefined>
}

export interface RemoteClientOptions {
  provider: string
  service: Service
  known: KnownModel
  transport: EmbeddingTransport
  /** Most texts and tokens in one request, and how long a token may take. */
  limits: { texts: number; tokens: number; msPerToken: number }
  timeouts?: { embedMs?: number; checkMs?: number } | undefined
  /** Which services hang; known to this embedder alone unless given. */
  silent?: SilentServices | undefined
  /** Where calls are counted that may cost money. */
  calls?: PaidCalls | undefined
}

/** Requests with prefixes, limits, retries and errors that say what to do. */
export class RemoteClient {
  readonly options: RemoteClientOptions
  readonly usage = { requests: 0, texts: 0, tokens: 0, costUsd: 0 }
  /** Once they are known, nothing else is accepted. */
  dimensions: number | undefined
  /** Hears that the model has other dimensions than it had. */
  onOtherDimensions: () => void = () => undefined
  readonly #work: ServiceWork
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(options: RemoteClientOptions) {
    this.options = options
    this.dimensions = options.known.dimensions
    this.#work = new ServiceWork(options.silent ?? new SilentServices(), options.service)
  }

  async embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    const { known, limits } = this.options
    const prefix = known.prefixes?.[kind] ?? ''
    const inputs = texts.map((text) => cutToTokens(prefix + text, known.context))
    const vectors: Float32Array[] = []
    for (const part of splitByTokens(inputs, limits.texts, limits.tokens))
      vectors.push(...(await this.#part(part, kind, signal)))
    return vectors
  }

  /** What the service says about itself, and whether it really embeds. */
  async check(signal?: AbortSignal): Promise<EmbedderHealth> {
    const { service, timeouts } = this.options
    try {
      const detail = await this.#inspect(signal)
      // One that answers may still have to load the model.
      await this.#work.doAnyway(() => this.#request(['test'], timeouts?.embedMs ?? EMBED_TIMEOUT_MS, signal))
      return { ok: true, detail }
    } catch (error) {
      const { code, message, hint } = serviceError(error, service, signal)
      if (code === 'cancelled') throwIfAborted(signal)
      return { ok: false, detail: message, ...(hint && { hint }) }
    }
  }

  /** Undefined also where the service does not know the question. */
  async version(): Promise<string | undefined> {
    const { transport } = this.options
    if (!transport.version) return undefined
    const asking = () => this.#within(CHECK_TIMEOUT_MS, (limited) => transport.version!(limited))
    try {
      return await this.#work.look(asking)
    } catch (error) {
      if (isRalphError(error) && (error.retryable || error.code === 'cancelled')) throw error
      return undefined
    }
  }

  /** Asks a service that is left alone whether it is back, as a check does. Throws where it is not. */
  async knock(): Promise<void> {
    if (this.#work.isLeftAlone) await this.#requireAnswer(undefined, CHECK_TIMEOUT_MS)
  }

  /** What takes too long at once is tried in halves, unless nobody answers at all. */
  async #part(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const timeoutMs = this.options.timeouts?.embedMs ?? this.#timeFor(texts)
    const { isLeftAlone } = this.#work
    // Before a long wait, a short one.
    if (timeoutMs > EMBED_TIMEOUT_MS && performance.now() - this.#heardAt > LEFT_ALONE_MS)
      await this.#work.look(() => this.#requireAnswer(signal))
    try {
      const attempt = () => this.#work.do(() => this.#request(texts, timeoutMs, signal))
      return await withRetries(attempt, { patience: PATIENCE[kind], signal })
    } catch (error) {
      const isLate = isRalphError(error) && error.code === 'timeout'
      // Who asks a question has waited long enough.
      if (!isLate || isLeftAlone || kind === 'query' || texts.length === 1 || signal?.aborted) throw error
      await this.#requireAnswer(signal)
      this.#work.resume()
      return this.#halves(texts, (half) => this.#part(half, kind, signal))
    }
  }

  #timeFor(texts: readonly string[]): number {
    return Math.max(EMBED_TIMEOUT_MS, tokensOfAll(texts) * this.options.limits.msPerToken)
  }

  /** Throws where nobody answers; what is answered is another matter. */
  async #requireAnswer(signal: AbortSignal | undefined, milliseconds = PROBE_TIMEOUT_MS): Promise<void> {
    try {
      await this.#inspect(signal, milliseconds)
    } catch (error) {
      if (isRalphError(error) && (error.code === 'timeout' || error.code === 'cancelled')) throw error
    }
  }

  #inspect(signal: AbortSignal | undefined, milliseconds = CHECK_TIMEOUT_MS): Promise<string> {
    const { transport } = this.options
    return this.#work.lookAnyway(() =>
      this.#within(milliseconds, (limited) => transport.inspect(limited), signal),
    )
  }

  async #within<Result>(
    milliseconds: number,
    ask: (signal: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { service, timeouts } = this.options
    try {
      const result = await ask(deadline(timeouts?.checkMs ?? milliseconds, signal))
      this.#heardAt = performance.now()
      return result
    } catch (error) {
      throw serviceError(error, service, signal)
    }
  }

  async #request(texts: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<Float32Array[]> {
    const { service } = this.options
    try {
      // Counted before the vectors are looked at: nonsense is billed as well.
      const vectors = await this.#counted(texts, timeoutMs, signal)
      const [first] = vectors
      if (Array.isArray(first) && first.length !== this.dimensions) this.onOtherDimensions()
      return readVectors(vectors, { count: texts.length, dimensions: this.dimensions }, service)
    } catch (error) {
      if (isTooLong(error)) {
        if (texts.length > 1) return this.#halves(texts, (half) => this.#request(half, timeoutMs, signal))
        const shorter = shortened(texts[0]!)
        if (shorter !== undefined) return this.#request([shorter], timeoutMs, signal)
      }
      throw serviceError(error, service, signal)
    }
  }

  async #counted(
    texts: readonly string[],
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<readonly unknown[]> {
    const { transport, provider, service, known, calls = UNCOUNTED } = this.options
    const costOf = (tokens: number) =>
      known.price === undefined ? undefined : (tokens * known.price) / 1_000_000
    const cost = (tokens: number | undefined): CallCost => {
      const inputTokens = tokens ?? tokensOfAll(texts)
      return { inputTokens, outputTokens: 0, costUsd: costOf(inputTokens), isEstimate: tokens === undefined }
    }
    const make = async () => {
      const { vectors, tokens } =
        transport.loadsModels && signal && texts.length <= FEW
          ? await outliving(signal, timeoutMs, (until) => transport.embed(texts, until))
          : await transport.embed(texts, deadline(timeoutMs, signal))
      this.#heardAt = performance.now()
      const paid = cost(tokens)
      this.usage.requests++
      this.usage.tokens += paid.inputTokens
      this.usage.costUsd += paid.costUsd ?? 0
      return { result: vectors, cost: paid }
    }
    const plan = {
      purpose: 'embedding' as const,
      model: `${provider}:${service.model}`,
      // A tokenizer never makes more tokens than there are bytes.
      worstUsd: costOf(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0)),
    }
    return counted(calls, plan, make, (error) => (mayBeCharged(error) ? cost(undefined) : undefined))
  }

  async #halves(
    texts: readonly string[],
    embed: (half: readonly string[]) => Promise<Float32Array[]>,
  ): Promise<Float32Array[]> {
    const middle = Math.ceil(texts.length / 2)
    return [...(await embed(texts.slice(0, middle))), ...(await embed(texts.slice(middle)))]
  }
}

/** Our estimate of tokens can be wrong, and some servers refuse what they promise to cut. */
function isTooLong(error: unknown): boolean {
  return (
    error instanceof Error &&
    /context length|too (?:long|many tokens)|maximum.{0,200}tokens/i.test(error.message)
  )
}

/** Undefined when the text is so short already that its length cannot be the trouble. */
function shortened(text: string): string | undefined {
  if (text.length <= SHORTEST) return undefined
  return text.slice(0, Math.max(SHORTEST, Math.floor(text.length / 2))).toWellFormed()
}
