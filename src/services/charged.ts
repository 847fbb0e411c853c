import { errnoOf, isRalphError } from '../errors.ts'

/** Nobody was there to do any work. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ERR_INVALID_URL|UND_ERR_CONNECT_TIMEOUT)$|CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/
/** Overloaded, says Anthropic, and has not begun. */
const OVERLOADED = 529

/**
 * Whether a service may charge for a request that failed. Surely not where it was refused before any work: by the
 * status, or because nobody was there. Whatever else went wrong (5xx, silence, half an answer, nonsense, a person who
 * did not want to wait) may have been paid for.
 */
export function mayBeCharged(error: unknown): boolean {
  if (isRalphError(error)) return error.charged
  const causes = causesOf(error)
  const status = causes.map(statusOf).find((one) => one !== undefined)
  if (status !== undefined) return status >= 500 ? status !== OVERLOADED : status < 300 || status === 408
  return !causes.some((cause) => NOT_CONNECTED.test(errnoOf(cause) ?? ''))
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}

/** The error and what lies below it; libraries wrap what happened in names of their own. */
export function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const below = error instanceof AggregateError ? error.errors[0] : error.cause
  return [error, ...causesOf(below)]
}
