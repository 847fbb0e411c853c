import type { z } from 'zod'
import { RalphError, throwIfAborted } from '../errors.ts'
import { nonsense, type Service, serviceError } from '../services/service.ts'
import { shownUrl } from '../text/shown-url.ts'
import type { Completion, CompletionRequest, LanguageModel } from './language-model.ts'
import { costOf, type Price, type TokenCounts, worstCostOf } from './prices.ts'

/** What a service has answered; what it cost is worked out here. */
export interface ModelAnswer extends Pick<Completion, 'text' | 'toolCalls' | 'opaque'> {
  stop: Exclude<Completion['stop'], 'tools'>
  /** Absent where the service does not say: then neither tokens nor cost are known. */
  tokens?: TokenCounts | undefined
}

/** One kind of service: how to ask it, and how to find out how it is. */
export interface ModelTransport {
  complete(request: CompletionRequest, signal: AbortSignal): Promise<ModelAnswer>
  stream(
    request: CompletionRequest,
    onText: (piece: string) => void,
    signal: AbortSignal,
  ): Promise<ModelAnswer>
  /** Throws when the service or the model is not there. */
  inspect(signal: AbortSignal): Promise<unknown>
}

export interface RemoteModelOptions {
  provider: string
  service: Service
  /** Absent when nobody knows it. */
  price: Price | undefined
  transport: ModelTransport
}

/** What every service's options have in common. */
export interface ServiceOptions {
  model: string
  baseUrl?: string
  /** How long one request may take, in milliseconds. */
  timeoutMs?: number
  /** How often the client library tries again on 429, 5xx and lost connections, honouring retry-after. */
  maxRetries?: number
}

export const DEFAULT_TIMEOUT_MS = 120_000
export const DEFAULT_RETRIES = 2

/** A model behind a network: costs counted, errors that say what to do. */
export function remoteModel({ provider, service, price, transport }: RemoteModelOptions): LanguageModel {
  const run = async (
    signal: AbortSignal | undefined,
    ask: (signal: AbortSignal) => Promise<ModelAnswer>,
  ): Promise<Completion> => {
    throwIfAborted(signal)
    try {
      return toCompletion(await ask(signal ?? never()), price)
    } catch (error) {
      throw serviceError(error, service, signal)
    }
  }
  return {
    id: `${provider}:${service.model}`,
    complete: (request, signal) => run(signal, (wanted) => transport.complete(request, wanted)),
    stream: (request, onText, signal) => run(signal, (wanted) => transport.stream(request, onText, wanted)),
    worstCost: (request) => price && worstCostOf(price, promptText(request), request.maxTokens),
    async check(signal) {
      try {
        await transport.inspect(signal ?? never())
        return { ok: true, detail: `${service.model} at ${service.name}, ${shownUrl(service.url)}` }
      } catch (error) {
        const { message, hint } = serviceError(error, service, signal)
        return { ok: false, detail: message, ...(hint && { hint }) }
      }
    },
  }
}

/** A service with a key; `variable` is the environment variable that it is usually given in. */
export function keyedService(
  name: string,
  variable: string,
  { model, baseUrl }: ServiceOptions,
  url: string,
): Service {
  const look = `Check ${variable} and language_model.url, then run: ralph doctor`
  return {
    name,
    url: baseUrl ?? url,
    model,
    hints: {
      reach: look,
      key: look,
      model: 'Set language_model.model to a model that the service offers.',
      credit: 'Top it up, or set language_model.provider to "none".',
    },
    stumbles: true,
  }
}

export function requireKey(key: string | undefined, { name }: Service, variable: string): string {
  if (key) return key
  throw new RalphError('unavailable', `no key for ${name} is configured`, {
    hint: `Set ${variable}, or language_model.api_key in the configuration.`,
  })
}

/** What we read of an answer, or an error that says where it is not as the service documents it. */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  service: Service,
): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') || 'no object'
  throw nonsense(service, `something that cannot be understood (${where})`)
}

/** Tool input as it arrives from a model: an object, or text that should have been one. */
export function toolInput(value: unknown): { [key: string]: unknown } {
  if (typeof value === 'string') {
    try {
      return toolInput(JSON.parse(value))
    } catch {
      // The tool itself answers with what it expects; the model then corrects the call.
      return { malformed_arguments: value }
    }
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}
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

/** Everything in the request that becomes prompt tokens. */
function promptText(request: CompletionRequest): string {
  return JSON.stringify([request.system ?? '', request.messages, request.tools ?? []])
}

function never(): AbortSignal {
  return new AbortController().signal
}
