import { errnoOf, isRalphError, RalphError, throwIfAborted } from '../errors.ts'
import { causesOf } from '../services/charged.ts'
import { counted, type PaidCalls, UNCOUNTED } from '../services/paid-calls.ts'
import { type Patience, withRetries } from '../services/retry.ts'
import { brokenOff, deadline, type Service, serviceError } from '../services/service.ts'
import { ServiceWork } from '../services/service-work.ts'
import { SharedTurns } from '../services/shared-turns.ts'
import { CHECK_TIMEOUT_MS, PROBE_TIMEOUT_MS, SilentServices } from '../services/silent-services.ts'
import { shownUrl } from '../text/shown-url.ts'
import { AnswerCosts, toUsage } from './answer-costs.ts'
import { AnswerTurns } from './answer-turns.ts'
import type {
  AnswerListener,
  Completion,
  CompletionRequest,
  LanguageModel,
  ModelLimits,
} from './language-model.ts'
import type { Price, TokenCounts } from './prices.ts'
import { promptTokens } from './prompt-text.ts'
import { Pulse, type SilenceLimits } from './pulse.ts'

/** What a service has answered; what it cost is worked out here. */
export interface ModelAnswer extends Pick<Completion, 'text' | 'toolCalls' | 'opaque'> {
  stop: Exclude<Completion['stop'], 'tools'>
  /** Absent where the service does not say: then they are estimated. */
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

type Ask = (asked: AskedModel, parts: AnswerParts, signal: AbortSignal) => Promise<ModelAnswer>

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
  /** How often it is tried again when the service refuses before any work (429), honouring retry-after. */
  maxRetries?: number
  /** How much a model that thinks first may think about what asks for no thinking; low unless told. */
  effort?: Effort | undefined
  /** Where its calls are counted. */
  calls?: PaidCalls | undefined
  /** Which services hang; known to this model alone unless given. */
  silent?: SilentServices | undefined
  /** Whose turn it is at a server that answers one at a time; a matter of this process alone unless given. */
  shared?: SharedTurns | undefined
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high'

export const DEFAULT_LIMITS: SilenceLimits = { startMs: 300_000, pauseMs: 60_000 }
/** Somebody may be waiting for it. */
const PATIENCE: Patience = { retries: 2, firstWaitMs: 500, longestWaitMs: 20_000 }
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
    return this.#answer(request, signal, undefined, (asked, parts, wanted) =>
      transport.complete ? transport.complete(asked, wanted) : transport.stream(asked, parts, wanted),
    )
  }

  stream(request: CompletionRequest, listener: AnswerListener, signal?: AbortSignal): Promise<Completion> {
    const { transport } = this.#parts
    return this.#answer(request, signal, listener, (asked, parts, wanted) =>
      transport.stream(asked, parts, wanted),
    )
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
    ask: Ask,
  ): Promise<Completion> {
    const { service, options } = this.#parts
    const attempt = async () => {
      const asked = { request, limits: await this.limits(signal) }
      return this.#work.do(() => this.#paid(asked, ask, watcher ?? NOBODY, signal))
    }
    const patience = { ...PATIENCE, retries: options.maxRetries ?? PATIENCE.retries }
    // What may have been paid for is not asked for again before somebody wants it.
    const isWorthwhile = ({ charged, code }: RalphError) => !charged && code !== 'timeout'
    const work = () => withRetries(attempt, { patience, signal, isWorthwhile })
    const onWaiting = () => watcher?.onWaiting?.()
    const alone = () =>
      this.#shared.take(service.url, work, { patienceMs: this.#limits.startMs, signal, onWaiting })
    const first = watcher !== undefined
    return this.#turns.take(alone, { first, signal, onWaiting })
  }

  /** One call: written down before it is made, and what it has cost whatever becomes of it. */
  #paid(
    asked: AskedModel,
    ask: Ask,
    listener: AnswerListener,
    signal: AbortSignal | undefined,
  ): Promise<Completion> {
    const { price, options } = this.#parts
    const { purpose = 'summaries' } = asked.request
    throwIfAborted(signal)
    const costs = new AnswerCosts(asked, price)
    let heard = ''
    const make = async () => {
      const pulse = new Pulse(this.#limitsFor(asked.request))
      const parts = heardBy(listener, pulse, (piece) => {
        heard += piece
      })
      const answering = (wanted: AbortSignal) => ask(asked, parts, wanted)
      const { tokens, stop, ...answer } = await this.#watched(answering, pulse, signal)
      const { text, toolCalls } = answer
      const calls = toolCalls.length > 0
      const cost = tokens ? costs.of(tokens) : costs.estimate(calls ? text + JSON.stringify(toolCalls) : text)
      const result: Completion = { ...answer, stop: calls ? 'tools' : stop, usage: toUsage(cost) }
      return { result, cost }
    }
    const plan = { purpose, model: this.id, worstUsd: costs.worstUsd }
    return counted(options.calls ?? UNCOUNTED, plan, make, (error) =>
      isRalphError(error) && error.charged ? costs.estimate(heard) : undefined,
    )
  }

  /** A long prompt is read for long, and nothing is heard meanwhile. */
  #limitsFor(request: CompletionRequest): SilenceLimits {
    const { startMs, pauseMs } = this.#limits
    if (this.atOnce > 1) return this.#limits
    return { startMs: startMs + Math.max(0, promptTokens(request) - SOON_READ) * READING_MS, pauseMs }
  }

  async #watched(
    ask: (signal: AbortSignal) => Promise<ModelAnswer>,
    pulse: Pulse,
    signal: AbortSignal | undefined,
  ): Promise<ModelAnswer> {
    const { service } = this.#parts
    try {
      return await ask(signal ? AbortSignal.any([signal, pulse.signal]) : pulse.signal)
    } catch (error) {
      if (signal?.aborted) throw serviceError(error, service, signal)
      if (pulse.signal.aborted) throw this.#silence(pulse, error)
      const isLost = pulse.hasBegun && causesOf(error).some((cause) => errnoOf(cause) === 'ECONNRESET')
      throw isLost ? brokenOff(service, error) : serviceError(error, service)
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
      charged: true,
      cause,
    })
  }
}

const NOBODY: AnswerListener = { onText: () => undefined }

function heardBy(listener: AnswerListener, pulse: Pulse, note: (piece: string) => void): AnswerParts {
  return {
    onPart: () => pulse.beat(),
    onText(piece) {
      pulse.beat()
      note(piece)
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
