import { errnoOf, isRalphError, messageOf, RalphError } from '../../errors.ts'
import { saidWithoutSecrets, shownUrl } from '../../text/shown-url.ts'
import { Nonsense, QdrantRefusal } from './http.ts'

/** What Qdrant's `max_request_size_mb` is unless somebody sets it. */
export const LARGEST_REQUEST_BYTES = 32 * 1024 * 1024

export function isMissing(error: unknown): boolean {
  return error instanceof QdrantRefusal && error.status === 404
}

/** Not there yet, or there and not yet in service. */
export function isNotReady(error: unknown): boolean {
  const isAsleep = error instanceof QdrantRefusal && /no active replica/i.test(error.detail)
  return isAsleep || isMissing(error)
}

/** Qdrant says 409, older versions 400, when somebody else has just made the same collection. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof QdrantRefusal &&
    (error.status === 409 || (error.status === 400 && /already exists!?$/i.test(error.detail))) &&
    !isAlias(error)
  )
}

function isAlias(error: unknown): boolean {
  return error instanceof QdrantRefusal && /alias with the same name/i.test(error.detail)
}

/** Strict mode has no code of its own: most of its refusals end with what would help, some name a limit. */
export function isStrictMode(error: unknown): boolean {
  return error instanceof QdrantRefusal && error.status === 400 && STRICT.test(error.detail)
}
const STRICT =
  /\. Help: |Max (points count|vector storage size|payload storage size) limit of |has a limit of \d+ indices/

/** Also when no waiting would help, since it is more than the server ever allows in one request. */
export function isOverRate(error: unknown): boolean {
  return error instanceof QdrantRefusal && error.status === 429
}

/** Milliseconds, when the server is only busy; undefined when trying again is pointless. */
export function waitBeforeRetry(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof QdrantRefusal) || (error.status !== 429 && error.status !== 503)) return undefined
  // More than it ever allows at once: no waiting helps.
  if (/split your request/i.test(error.detail)) return undefined
  return error.retryAfterMs ?? 200 * 2 ** attempt
}

/** `bytes`: how much was sent. */
export function qdrantError(
  error: unknown,
  { url: address, bytes }: { url: string; bytes: number },
): unknown {
  if (isRalphError(error)) return error
  if (error instanceof QdrantRefusal) return refused(error, address, bytes)
  if (error instanceof Nonsense) return notQdrant(address, error)
  const code = networkCode(error)
  if (code === undefined) return error instanceof Error ? notQdrant(address, error) : error
  const url = shownUrl(address)
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE/.test(code)) {
    return new RalphError('unavailable', `no secure connection to Qdrant at ${url} (${code})`, {
      hint: 'Use http:// if it serves no TLS; set NODE_EXTRA_CA_CERTS to its certificate if it signs its own.',
      cause: error,
    })
  }
  if (code.startsWith('HPE_')) return notQdrant(address, new Nonsense(messageOf(error), { cause: error }))
  // It hangs up on what is larger than it takes, in the middle of a word.
  if (bytes > LARGEST_REQUEST_BYTES / 4 && /EPIPE|ECONNRESET/.test(code)) return tooLarge(url, bytes, error)
  return new RalphError('unavailable', `Qdrant at ${url} cannot be reached (${code})`, {
    hint: 'Start it, e.g. docker run -p 6333:6333 qdrant/qdrant, or correct index.url (RALPH_QDRANT_URL).',
    retryable: true,
    cause: error,
  })
}

export function timedOut(address: string, seconds: number, cause: unknown): RalphError {
  return new RalphError('timeout', `Qdrant at ${shownUrl(address)} did not answer within ${seconds} s`, {
    hint: 'Look at its log; a restart may help.',
    retryable: true,
    cause,
  })
}

/** "Payload … is larger than allowed (limit: … bytes)", and the like. */
function isOfSize(said: string): boolean {
  const words = said.toLowerCase()
  const isBeyond = ['larger', 'exceed', 'too large'].some((word) => words.includes(word))
  return isBeyond && (words.includes('payload') || (words.includes('limit') && words.includes('bytes')))
}

function refused(refusal: QdrantRefusal, address: string, bytes: number): RalphError {
  const url = shownUrl(address)
  const { status, body } = refusal
  const said = saidWithoutSecrets(refusal.detail, address)
  if (status === 401 || (status === 403 && !/^Storage locked/i.test(said)))
    return keyRefused(refusal, said, url)
  if (status === 429 || status === 503) return busy(refusal, said, url)
  if (status === 413 || isOfSize(said)) return tooLarge(url, bytes, refusal)
  if (status === 507 || /no space left/i.test(said)) {
    return new RalphError('disk_full', `the disk of Qdrant at ${url} is full: ${said || status}`, {
      hint: 'Free some space on its machine; what could not be written is caught up afterwards.',
      retryable: true,
      cause: refusal,
    })
  }
  if (isStrictMode(refusal)) {
    return new RalphError(
      'limit_reached',
      `Qdrant at ${url} refuses this in strict mode: ${withoutPrefix(said)}`,
      {
        hint: "Relax strict_mode_config of the collection, or the server's default for it.",
        cause: refusal,
      },
    )
  }
  if (isAlias(refusal)) {
    return new RalphError('conflict', `Qdrant at ${url}: ${withoutPrefix(said)}`, {
      hint: 'Remove the alias, or give ralph a Qdrant of its own (index.url).',
      cause: refusal,
    })
  }
  if (/max collections limit/i.test(said)) {
    return new RalphError('limit_reached', `Qdrant at ${url}: ${withoutPrefix(said)}`, {
      hint: 'Raise storage.max_collections on its machine, or keep all in two collections: ralph config set index.tenants true',
      cause: refusal,
    })
  }
  if (said === '' && !/^\s*\{/.test(body))
    return notQdrant(address, new Nonsense(body.split('\n', 1)[0] || String(refusal)))
  // 408: it gave up on itself; 403 that is not about a key: somebody has locked it.
  const isPassing = status >= 500 || status === 408 || status === 403
  return new RalphError(
    isPassing ? 'unavailable' : 'internal',
    `Qdrant at ${url}: ${said || `status ${status}`}`,
    {
      hint: status === 408 ? 'Try again later, or give it more resources.' : "Look at Qdrant's log.",
      retryable: isPassing,
      cause: refusal,
    },
  )
}

/** One that may read and not write is told apart: searching works with it. */
function keyRefused(refusal: QdrantRefusal, said: string, url: string): RalphError {
  const isReadOnly = refusal.status === 403 && /access /i.test(said) && /is required/i.test(said)
  const what = isReadOnly
    ? `the API key for Qdrant at ${url} may only read (403)`
    : `Qdrant at ${url} refuses the API key (${refusal.status})`
  return new RalphError(isReadOnly ? 'read_only' : 'unavailable', what, {
    hint: 'Set index.api_key (RALPH_QDRANT_API_KEY) to a key that may read and write.',
    cause: refusal,
  })
}

function busy(refusal: QdrantRefusal, said: string, url: string): RalphError {
  const { retryAfterMs, status } = refusal
  const wait = retryAfterMs === undefined ? '' : ` (again in ${Math.ceil(retryAfterMs / 1_000)} s)`
  const what = status === 429 && said ? `limits the rate: ${withoutPrefix(said)}` : 'has too much to do'
  return new RalphError('unavailable', `Qdrant at ${url} ${what}${wait}`, {
    hint:
      status === 429
        ? 'Try again later, or raise read_rate_limit and write_rate_limit in strict_mode_config.'
        : 'Try again later, or give it more resources.',
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause: refusal,
  })
}

function tooLarge(url: string, bytes: number, cause?: unknown): RalphError {
  return new RalphError(
    'limit_reached',
    `${megabytes(bytes)} in one request are more than Qdrant at ${url} takes`,
    {
      hint: `Raise service.max_request_size_mb (QDRANT__SERVICE__MAX_REQUEST_SIZE_MB, default ${megabytes(LARGEST_REQUEST_BYTES)}) on its machine.`,
      ...(cause !== undefined && { cause }),
    },
  )
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}

function notQdrant(address: string, cause: Error): RalphError {
  const said = saidWithoutSecrets(messageOf(cause).split('\n', 1)[0]!.slice(0, 200), address)
  return new RalphError(
    'unavailable',
    `what answers at ${shownUrl(address)} does not speak like Qdrant: ${said}`,
    { hint: 'Check index.url (RALPH_QDRANT_URL); a proxy in between may answer in its place.', cause },
  )
}

/** "Bad request: ", "Wrong input: " and the like say nothing that a status does not. */
function withoutPrefix(said: string): string {
  return said.replace(/^(Bad request|Wrong input|Rate limiting exceeded|Forbidden): /i, '')
}

function networkCode(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = errnoOf(at)
    if (code !== undefined) return code
  }
  return undefined
}
