import { errnoOf, messageOf, RalphError } from '../errors.ts'
import type { CompletionRequest } from './language-model.ts'

/** What the three services have in common: loading their library, reading their errors. */

export interface ServiceOptions {
  model: string
  /** How long one request may take, in milliseconds. */
  timeoutMs?: number
  /** How often the client library tries again on 429, 5xx and lost connections, honouring retry-after. */
  maxRetries?: number
}

export const DEFAULT_TIMEOUT_MS = 120_000
export const DEFAULT_RETRIES = 2

/** Loads an optional client library on first need and says what to install when it is absent. */
export async function loadLibrary<Library>(name: string, load: () => Promise<Library>): Promise<Library> {
  try {
    return await load()
  } catch (error) {
    if (errnoOf(error) !== 'ERR_MODULE_NOT_FOUND' && errnoOf(error) !== 'MODULE_NOT_FOUND') throw error
    throw new RalphError('missing_dependency', `the library ${name} is not installed`, {
      hint: `npm install ${name}`,
      cause: error,
    })
  }
}

interface Failure {
  service: string
  model: string
  keyHint: string
  signal: AbortSignal | undefined
}

/** Anything a client library throws, as one line saying what is wrong and one saying what to do. */
export function serviceError(error: unknown, { service, model, keyHint, signal }: Failure): RalphError {
  if (error instanceof RalphError) return error
  if (signal?.aborted) return new RalphError('cancelled', 'cancelled', { cause: error })
  const status = statusOf(error)
  const said = firstLine(messageOf(error))
  if (status === 401 || status === 403) {
    return new RalphError('unavailable', `${service} refused the key (${status})`, {
      hint: keyHint,
      cause: error,
    })
  }
  if (status === 404) {
    return new RalphError('not_found', `${service} does not know the model ${model}`, {
      hint: 'Set language_model.model to a model that the service offers.',
      cause: error,
    })
  }
  if (status === 429) {
    return new RalphError('unavailable', `${service} is limiting the rate (429)`, {
      hint: 'Wait a little; the work is kept and tried again.',
      retryable: true,
      cause: error,
    })
  }
  if (status !== undefined && status >= 500) {
    return new RalphError('unavailable', `${service} failed (${status})`, { retryable: true, cause: error })
  }
  if (status !== undefined) {
    return new RalphError('invalid_input', `${service} rejected the request (${status}): ${said}`, {
      cause: error,
    })
  }
  if (isTimeout(error)) {
    return new RalphError('timeout', `${service} did not answer in time`, { retryable: true, cause: error })
  }
  if (error instanceof SyntaxError) {
    return new RalphError('unavailable', `${service} answered with something that is not JSON`, {
      retryable: true,
      cause: error,
    })
  }
  return new RalphError('unavailable', `${service} cannot be reached: ${rootCause(error)}`, {
    hint: keyHint,
    retryable: true,
    cause: error,
  })
}

/** The service answered, but not in the form it documents. */
export function malformed(service: string, what: string): RalphError {
  return new RalphError('unavailable', `${service} gave an answer that cannot be understood: ${what}`, {
    retryable: true,
  })
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

/** Everything in the request that becomes prompt tokens. */
export function promptText(request: CompletionRequest): string {
  return JSON.stringify([request.system ?? '', request.messages, request.tools ?? []])
}

function statusOf(error: unknown): number | undefined {
  if (error === null || typeof error !== 'object') return undefined
  const status = 'status' in error ? error.status : 'status_code' in error ? error.status_code : undefined
  return typeof status === 'number' ? status : undefined
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(`${error.name} ${error.constructor.name} ${error.message}`)
}

/** "fetch failed" says nothing; the cause below it says ECONNREFUSED 127.0.0.1:11434. */
function rootCause(error: unknown): string {
  let deepest = error
  while (deepest instanceof Error && deepest.cause !== undefined) deepest = deepest.cause
  if (deepest instanceof AggregateError && deepest.errors[0] !== undefined) deepest = deepest.errors[0]
  return firstLine(messageOf(deepest)) || errnoOf(deepest) || 'no answer'
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.slice(0, 300)
}
