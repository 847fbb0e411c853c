import { isRalphError, messageOf, RalphError } from '../../errors.ts'
import { saidWithoutSecrets, shownUrl } from '../../text/shown-url.ts'

const LONGEST_WAIT_MS = 10_000

/** What the client throws when the server answered with an error status. */
interface StatusError {
  status: number
  data: unknown
}

function asStatusError(error: unknown): StatusError | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' && 'data' in error
    ? (error as unknown as StatusError)
    : undefined
}

export function isMissing(error: unknown): boolean {
  return asStatusError(error)?.status === 404
}

export function isConflict(error: unknown): boolean {
  const failure = asStatusError(error)
  // Qdrant says 409, older versions 400, when somebody else has just made the same collection.
  return (
    failure?.status === 409 || (failure?.status === 400 && /already exists/i.test(detailOf(failure.data)))
  )
}

/** Milliseconds, when the server is only busy; undefined when trying again is pointless. */
export function waitBeforeRetry(error: unknown, attempt: number): number | undefined {
  if (error instanceof Error && 'retry_after' in error && typeof error.retry_after === 'number') {
    return Math.min(error.retry_after * 1_000, LONGEST_WAIT_MS)
  }
  const status = asStatusError(error)?.status
  return status === 429 || status === 503 ? 200 * 2 ** attempt : undefined
}

export function qdrantError(error: unknown, address: string): unknown {
  if (isRalphError(error)) return error
  const url = shownUrl(address)
  const failure = asStatusError(error)
  if (failure) return statusError(failure, address, error)
  if (error instanceof Error && error.name === 'QdrantClientTimeoutError') {
    return new RalphError('timeout', `Qdrant at ${url} did not answer in time`, {
      hint: 'Look at its log; a restart may help.',
      retryable: true,
      cause: error,
    })
  }
  if (error instanceof Error && 'retry_after' in error) return busy(url, error)
  const code = networkCode(error)
  if (code === undefined) return notQdrant(address, error)
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE/.test(code)) {
    return new RalphError('unavailable', `no secure connection to Qdrant at ${url} (${code})`, {
      hint: 'Use http:// if it serves no TLS; set NODE_EXTRA_CA_CERTS to its certificate if it signs its own.',
      cause: error,
    })
  }
  return new RalphError('unavailable', `Qdrant at ${url} cannot be reached (${code})`, {
    hint: 'Start it, e.g. docker run -p 6333:6333 qdrant/qdrant, or correct index.url (RALPH_QDRANT_URL).',
    retryable: true,
    cause: error,
  })
}

function statusError({ status, data }: StatusError, address: string, cause: unknown): RalphError {
  const url = shownUrl(address)
  if (status === 401 || status === 403) {
    return new RalphError('unavailable', `Qdrant at ${url} refuses the API key (${status})`, {
      hint: 'Set index.api_key (RALPH_QDRANT_API_KEY) to a key that may read and write.',
      cause,
    })
  }
  if (status === 429 || status === 503) return busy(url, cause)
  if (typeof data === 'string' && /^\s*</.test(data)) return notQdrant(address, cause)
  const detail = saidWithoutSecrets(detailOf(data), address) || `status ${status}`
  const details = { retryable: status >= 500, cause }
  return new RalphError(status >= 500 ? 'unavailable' : 'internal', `Qdrant at ${url}: ${detail}`, {
    hint: status === 507 ? 'Its disk is full: free some space.' : "Look at Qdrant's log.",
    ...details,
  })
}

function busy(url: string, cause: unknown): RalphError {
  return new RalphError('unavailable', `Qdrant at ${url} has too much to do`, {
    hint: 'Try again later, or give it more resources.',
    retryable: true,
    cause,
  })
}

function notQdrant(address: string, cause: unknown): RalphError {
  return new RalphError(
    'unavailable',
    `what answers at ${shownUrl(address)} does not speak like Qdrant: ${saidWithoutSecrets(firstLine(cause), address)}`,
    {
      hint: 'Check index.url (RALPH_QDRANT_URL); a proxy in between may answer in its place.',
      cause,
    },
  )
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0]!.slice(0, 200)
}

/** `{"status": {"error": "…"}}` */
function detailOf(data: unknown): string {
  const status = data instanceof Object && 'status' in data ? data.status : undefined
  return status instanceof Object && 'error' in status ? String(status.error) : ''
}

/** fetch says "fetch failed" and keeps the reason in the cause. */
function networkCode(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}
