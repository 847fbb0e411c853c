import { RalphError, throwIfAborted } from '../errors.ts'
import { deadline, type Service, serviceError } from '../services/service.ts'
import { ServiceWork } from '../services/service-work.ts'
import { SharedTurns } from '../services/shared-turns.ts'
import { CHECK_TIMEOUT_MS, PROBE_TIMEOUT_MS, SilentServices } from '../services/silent-services.ts'
import { shownUrl } from '../text/shown-url.ts'
import { AnswerTurns } from './answer-turns.ts'
import type {
  AnswerListener,
  Completion,
  CompletionRequest,
  LanguageModel,
  ModelLimits,
} from './language-model.ts'
import { costOf, type Price, type TokenCounts, worstCostOf } from './prices.ts'
import { promptText, promptTokens } from './prompt-text.ts'
import { Pulse, type SilenceLimits } from './pulse.ts'

/** What a service has answered; what it cost is worked out here. */
export interface ModelAnswer extends Pick<Completion, 'text' | 'toolCalls' | 'opaque'> {
  stop: Exclude<Completion['stop'], 'tools'>
  /** Absent where the service does not say: then neither tokens nor cost are known. */
  tokens?: TokenCounts | undefined
}

/** What a transport tells while an answer arrives. */
export interface AnswerParts extends Required<Pick<AnswerListener, 'onText' | 'onThinking'>> {
  /** Anything came: the service is alive. */
  onPart(): void
}

/** One kind of service: how to ask it, and how to find out how it is. */
export interface ModelTransport {
  /** As a whole, where nobody listens; by the stream where the service is watched part by part. */
  complete?(asked: AskedModel, signal: AbortSignal): Promise<ModelAnswer>
  stream(asked: AskedModel, parts: AnswerParts, signal: AbortSignal): Promise<ModelAnswer>
  /** Throws when the service or the model is not there. Answered at once by a service that works. */
  inspect(signal: AbortSignal): Promise<unknown>
  /** Where the service tells; asked before each answer, which also shows at once whether anybody is there. */
  limits?(signal: AbortSignal): Promise<ModelLimits>
}

/** A request, and what the model takes. */
export interface AskedModel {
  request: CompletionRequest
  limits: ModelLimits
}

export interface RemoteModelOptions {
  provider: string
  service: Service
  /** Absent when nobody knows it. */
  price: Price | undefined
  transport: ModelTransport
  options: ServiceOptions
}

/** What every service's options have in common. */
export interface ServiceOptions {
  model: string
  baseUrl?: string
  /** How long it may say nothing, in milliseconds. */
  limits?: Partial<SilenceLimits>
  /** How often the client library tries again on 429, 5xx and lost connections, honouring retry-after. */
  maxRetries?: number
  /** Which services hang; known to this model alone unless given. */
  silent?: SilentServices | undefined
  /** Whose turn it is at a server that answers one at a time; a matter of this process alone unless given. */
  shared?: SharedTurns | undefined
}

export const DEFAULT_LIMITS: SilenceLimits = { startMs: 300_000, pauseMs: 60_000 }
export const DEFAULT_RETRIES = 2
/** What an own server without a graphics card has been seen to take for a token of a prompt, before its first word. */
const READING_MS = 40
/** In tokens: read well within any limit. */
const SOON_READ = 2_048
/** Of a service on the network that many share. */
const MANY_AT_ONCE = 4

/** A model behind a network: costs counted, silence noticed, errors that say what to do. */
export function remoteModel(parts: RemoteModelOptions): LanguageModel {
  return new RemoteModel(parts)
}

class RemoteModel implements LanguageModel {
  readonly id: string
  readonly atOnce: number
  readonly #parts: RemoteModelOptions
  readonly #work: ServiceWork
  readonly #turns: AnswerTurns
  readonly #shared: SharedTurns
  readonly #limits: SilenceLimits

  constructor(parts: RemoteModelOptions) {
    const { provider, service, options } = parts
    this.#parts = parts
    this.id = `${provider}:${service.model}`
    this.atOnce = isOwnServer(service.url) || provider === 'ollama' ? 1 : MANY_AT_ONCE
    this.#work = new ServiceWork(options.silent ?? new SilentServices(), service)
    this.#turns = new AnswerTurns(this.atOnce)
    this.#shared = (this.atOnce === 1 && options.shared) || new SharedTurns()
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
  }

  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion> {
    const { transport } = this.#parts
    return this.#answer(request, signal, undefined, (asked, pulse, wanted) =>
      transport.complete
        ? transport.complete(asked, wanted)
        : transport.stream(asked, heardBy(NOBODY, pulse), wanted),
    )
  }

  stream(request: CompletionRequest, listener: AnswerListener, signal?: AbortSignal): Promise<Completion> {
    const { transport } = this.#parts
    return this.#answer(request, signal, listener, (asked, pulse, wanted) =>
      transport.stream(asked, heardBy(listener, pulse), wanted),
    )
  }

  worstCost(request: CompletionRequest): number | undefined {
    const { price } = this.#parts
    return price && worstCostOf(price, promptText(request), request.maxTokens)
  }

  async limits(signal?: AbortSignal): Promise<ModelLimits> {
    const { transport } = this.#parts
    if (!transport.limits) return { tools: true }
    const ask = (limited: AbortSignal) => transport.limits!(limited)
    return this.#work.look(() => this.#within(PROBE_TIMEOUT_MS, ask, signal))
  }

  async check(signal?: AbortSignal): Promise<{ ok: boolean; detail: string; hint?: string }> {
    const { service, transport } = this.#parts
    try {
      const inspect = (limited: AbortSignal) => transport.inspect(limited)
      await this.#work.lookAnyway(() => this.#within(CHECK_TIMEOUT_MS, inspect, signal))
      this.#work.resume()
      return { ok: true, detail: `${service.model} at ${service.name}, ${shownUrl(service.url)}` }
    } catch (error) {
      const { code, message, hint } = serviceError(error, service, signal)
      if (code === 'cancelled') throwIfAborted(signal)
      return { ok: false, detail: message, ...(hint && { hint }) }
    }
  }

  async #within<Result>(
    milliseconds: number,
    ask: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    try {
      return await ask(deadline(milliseconds, signal))
    } catch (error) {
      throw serviceError(error, this.#parts.service, signal)
    }
  }

  async #answer(
    request: CompletionRequest,
    signal: AbortSignal | undefined,
    watcher: AnswerListener | undefined,
    ask: (asked: AskedModel, pulse: Pulse, signal: AbortSignal) => Promise<ModelAnswer>,
  ): Promise<Completion> {
    const { service, price } = this.#parts
    const limits = this.#limitsFor(request)
    const work = async () => {
      const asked = { request, limits: await this.limits(signal) }
      return this.#work.do(() => this.#watched((pulse, wanted) => ask(asked, pulse, wanted), limits, signal))
    }
    const onWaiting = () => watcher?.onWaiting?.()
    const alone = () =>
      this.#shared.take(service.url, work, { patienceMs: this.#limits.startMs, signal, onWaiting })
    const first = watcher !== undefined
    return toCompletion(await this.#turns.take(alone, { first, signal, onWaiting }), price)
  }

  /** A long prompt is read for long, and nothing is heard meanwhile. */
  #limitsFor(request: CompletionRequest): SilenceLimits {
    const { startMs, pauseMs } = this.#limits
    if (this.atOnce > 1) return this.#limits
    return { startMs: startMs + Math.max(0, promptTokens(request) - SOON_READ) * READING_MS, pauseMs }
  }

  async #watched(
    ask: (pulse: Pulse, signal: AbortSignal) => Promise<ModelAnswer>,
    limits: SilenceLimits,
    signal: AbortSignal | undefined,
  ): Promise<ModelAnswer> {
    const { service } = this.#parts
    const pulse = new Pulse(limits)
    try {
      return await ask(pulse, signal ? AbortSignal.any([signal, pulse.signal]) : pulse.signal)
    } catch (error) {
      throw pulse.signal.aborted && !signal?.aborted
        ? this.#silence(pulse, error)
        : serviceError(error, service, signal)
    } finally {
      pulse.stop()
    }
  }

  #silence({ hasBegun, limitMs }: Pulse, cause: unknown): RalphError {
    const { name, url } = this.#parts.service
    const seconds = limitMs < 10_000 ? limitMs / 1_000 : Math.round(limitMs / 1_000)
    const what = hasBegun
      ? `has said nothing for ${seconds} s in the middle of its answer`
      : `did not begin to answer within ${seconds} s`
    return new RalphError('timeout', `${name} at ${shownUrl(url)} ${what}`, {
      hint: `If it is only slow, raise language_model.${hasBegun ? 'silence' : 'start'}_limit_seconds.`,
      retryable: true,
      cause,
    })
  }
}

const NOBODY: AnswerListener = { onText: () => undefined }

function heardBy(listener: AnswerListener, pulse: Pulse): AnswerParts {
  return {
    onPart: () => pulse.beat(),
    onText(piece) {
      pulse.beat()
      listener.onText(piece)
    },
    onThinking() {
      pulse.beat()
      listener.onThinking?.()
    },
  }
}

/** On this machine or in one's own network. */
function isOwnServer(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return (
    /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]|\[f[cd])/.test(hostname) ||
    /\.(?:local|internal|lan)$/.test(hostname) ||
    !/[.:]/.test(hostname)
  )
}

function toCompletion({ tokens, stop, ...answer }: ModelAnswer, price: Price | undefined): Completion {
  return {
    ...answer,
    stop: answer.toolCalls.length > 0 ? 'tools' : stop,
    usage: tokens
      ? {
          inputTokens: tokens.input + (tokens.cacheRead ?? 0) + (tokens.cacheWrite ?? 0),
          outputTokens: tokens.output,
          ...(price && { costUsd: costOf(price, tokens) }),
        }
      : { inputTokens: 0, outputTokens: 0 },
  }
}
