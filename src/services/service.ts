import { errnoOf, messageOf, RalphError } from '../errors.ts'
import { saidWithoutSecrets, shownUrl } from '../text/shown-url.ts'
import { causesOf, mayBeCharged } from './charged.ts'

/** What services on a network have in common, whatever they are asked for: how they fail, and what to do then. */

export interface Service {
  name: string
  url: string
  model: string
  /** What to do when it cannot be reached, hangs, refuses the key, does not have the model, or has no credit left for us. */
  hints: { reach: string; hung?: string; key: string; model: string; credit?: string }
  /** True where an answer that makes no sense may make sense the next time, as with anything a model writes. */
  stumbles?: boolean
  /** What this service means by an error of its own, where the status alone would mislead. */
  explain?: (answer: Answered) => RalphError | undefined
}

/** An error that the service itself has sent. */
export interface Answered {
  status: number
  /** One line, without secrets. */
  said: string
  /** Sent after a part of what was asked for. */
  midway: boolean
}

/** An answer with an error status, from a client library that would otherwise lose its headers. */
export class HttpError extends Error {
  readonly status: number
  readonly headers: Headers
  readonly midway: boolean

  constructor(status: number, headers: Headers, message: string, midway = false) {
    super(message)
    this.status = status
    this.headers = headers
    this.midway = midway
  }
}

/** Ends with the caller's wish or after a time, whichever comes first; also when an answer stops half-way. */
export function deadline(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

/** Anything a client library throws, as one line saying what is wrong and one saying what to do. */
export function serviceError(error: unknown, service: Service, signal?: AbortSignal): RalphError {
  if (error instanceof RalphError) return error
  if (signal?.aborted && !isTimeout(signal.reason))
    return new RalphError('cancelled', 'cancelled', { cause: error, charged: mayBeCharged(error) })
  const status = statusOf(error)
  if (status !== undefined) return refusal(status, error, service)
  // "fetch failed" says nothing; the cause below it says ECONNREFUSED 127.0.0.1:11434.
  const causes = causesOf(error)
  const charged = mayBeCharged(error)
  const { name, hints } = service
  const url = shownUrl(service.url)
  if (
    signal?.aborted ||
    causes.some((cause) => TIMEOUT.test(`${cause.name} ${cause.constructor.name} ${errnoOf(cause)}`))
  )
    return new RalphError('timeout', `${name} at ${url} did not answer in time`, {
      hint: hints.hung ?? hints.reach,
      retryable: true,
      charged,
      cause: error,
    })
  if (causes.some((cause) => cause instanceof SyntaxError))
    return nonsense(service, 'something that is not JSON')
  const deepest = causes.at(-1)
  const reason = (deepest && firstLine(deepest.message)) || errnoOf(deepest) || firstLine(messageOf(error))
  const why = saidWithoutSecrets(reason, service.url)
  const certificate = CERTIFICATE.test(errnoOf(deepest) ?? '')
  return new RalphError('unavailable', `${name} at ${url} cannot be reached: ${why}`, {
    hint: certificate
      ? 'Give Node the certificate authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem'
      : hints.reach,
    retryable: !certificate,
    charged,
    cause: error,
  })
}

/** The service answered, but with something that cannot be used. */
export function nonsense(service: Service, what: string): RalphError {
  const { name, model, stumbles = false } = service
  const url = shownUrl(service.url)
  return new RalphError('unavailable', `${name} at ${url} answered with ${what}`, {
    hint: `Check that ${url} is ${name} (and not a proxy's page), and that ${model} is a model for this.`,
    retryable: stumbles,
    charged: true,
  })
}

/** The connection was lost while an answer came. */
export function brokenOff({ name, url, hints }: Service, cause: unknown): RalphError {
  return new RalphError('unavailable', `${name} at ${shownUrl(url)} went away in the middle of its answer`, {
    hint: hints.reach,
    retryable: true,
    charged: true,
    cause,
  })
}

/** Whoever asked has waited as long as he can, which is another thing than not wanting to know any more. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}

/** Libraries wrap an abort by our deadline in names of their own. */
const TIMEOUT = /timeout|abort|ETIMEDOUT/i
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/

function refusal(status: number, error: unknown, service: Service): RalphError {
  const { name, model, hints } = service
  const url = shownUrl(service.url)
  const said = saidWithoutSecrets(firstLine(messageOf(error).replace(/^\d{3} /, '')), service.url)
  const cause = error
  const explained = service.explain?.({ status, said, midway: field(error, 'midway') === true })
  if (explained) return explained
  if (status === 401 || status === 403)
    return new RalphError('unavailable', `${name} at ${url} refused the key (${status})`, {
      hint: hints.key,
      cause,
    })
  if (status === 404)
    return new RalphError('not_found', `${name} at ${url} does not have ${model}`, {
      hint: hints.model,
      cause,
    })
  if (status === 429 && codeOf(error) === 'insufficient_quota')
    return new RalphError('limit_reached', `the account at ${name} has no credit left`, {
      hint: hints.credit ?? 'Top it up.',
      cause,
    })
  const retryAfterMs = retryAfterOf(error)
  const charged = mayBeCharged(error)
  const later = { retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }), charged, cause }
  if (status === 429)
    return new RalphError('unavailable', `${name} is limiting the rate (429)`, {
      hint: 'Wait a little; what could not be done is caught up later.',
      ...later,
    })
  if (status >= 500 || status === 408)
    return new RalphError('unavailable', `${name} at ${url} failed (${status}): ${said}`, {
      hint: hints.reach,
      ...later,
    })
  return new RalphError('invalid_input', `${name} at ${url} rejected the request (${status}): ${said}`, {
    cause,
  })
}

function statusOf(error: unknown): number | undefined {
  const status = field(error, 'status')
  return typeof status === 'number' ? status : undefined
}

function codeOf(error: unknown): unknown {
  return field(error, 'code')
}

/** Seconds or a date, or milliseconds in OpenAI's own header. */
function retryAfterOf(error: unknown): number | undefined {
  const headers = field(error, 'headers')
  if (!(headers instanceof Headers)) return undefined
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (milliseconds >= 0) return milliseconds
  const after = headers.get('retry-after')
  if (!after) return undefined
  const wait = /^[\d.]+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, name) : undefined
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.slice(0, 300)
}
