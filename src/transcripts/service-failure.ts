import type { ServiceCause, ServiceFailure } from './agent-run.ts'

/** Rate limit or overload: waiting helps. Any other API failure is not one of these. */
export function isRateLimit(status: number | undefined, ...words: (string | undefined)[]): boolean {
  if (status === 429 || status === 529) return true
  return words.some(
    (word) => word !== undefined && /^(?:rate_limit|(?:server_)?overloaded|usage_limit)/.test(word),
  )
}

/** Versions before the `error` field said it in words only. */
const RATE_LIMIT_TEXTS = [
  /^API Error:\s*(?:Request rejected \()?(?:429|529)\b/i,
  /^(?:Claude(?: AI)?|5-hour|weekly|session|usage)[\w ]* limit reached/i,
  /\b(?:overloaded|rate_limit)_error\b/,
  /^You(?:'|’)ve (?:hit|reached) your [\w -]*limit/i,
  /\brate limit reached\b|\bresource_exhausted\b|exhausted your [\w ]*(?:quota|capacity)/i,
  /^Selected model is at capacity/i,
]
const KEY =
  /invalid (?:x-)?api[ -]key|please run \/login|not logged in|authenticat|auth (?:type|method)|oauth token|unauthori[sz]ed|api key/i
/** Names billing as well, but is told with when to ask again: a limit that is renewed by itself. */
const RENEWED = /exceeded your current quota[\s\S]*(?:\bretry (?:in|after) \d|try again later)/i
const CREDIT = /credit balance|billing|payment required|insufficient (?:funds|quota)/i
const CONTEXT =
  /prompt is too long|request too large|context (?:length|window|limit)|too many (?:input )?tokens|conversation is too long|exceeds the maximum number of tokens|range of input length/i
const PASSING =
  /overloaded|timed out|timeout|connection|disconnected|ECONN|ENOTFOUND|EAI_AGAIN|socket|network|\b5\d\d\b|internal server error|server had an error|high demand|try again/i

/** Why the service did not answer, from the status, the program's own names for it (`rate_limit`, …) and its words. */
export function serviceFailure(
  text: string,
  status: number | undefined,
  names: readonly (string | undefined)[],
): ServiceFailure {
  const cause = causeOf(text, status, names)
  const passing = cause === 'rate_limit' || (cause === 'api' && ((status ?? 0) >= 500 || PASSING.test(text)))
  return { cause, words: text.trim(), passing }
}

function causeOf(
  text: string,
  status: number | undefined,
  names: readonly (string | undefined)[],
): ServiceCause {
  const named = (pattern: RegExp) => names.some((name) => name !== undefined && pattern.test(name))
  if (named(/^resource_exhausted/i) || RENEWED.test(text)) return 'rate_limit'
  if (named(/^billing|^insufficient_quota/) || status === 402 || CREDIT.test(text)) return 'credit'
  if (isRateLimit(status, ...names) || RATE_LIMIT_TEXTS.some((pattern) => pattern.test(text.trimStart())))
    return 'rate_limit'
  if (named(/^session_budget/)) return 'budget'
  if (named(/^prompt_too_long|^context|^request_too_large/) || status === 413 || CONTEXT.test(text))
    return 'context'
  if (
    named(/^authentication|^permission_error|^oauth|^unauthorized/) ||
    status === 401 ||
    status === 403 ||
    KEY.test(text)
  )
    return 'key'
  return 'api'
}

const API_ERROR_TEXTS = [
  /^(?:API Error|Prompt is too long|Credit balance|Invalid API key|OAuth (?:token|authentication)|Not logged in|Failed to authenticate)/i,
  /^(?:Request (?:timed out|too large|was aborted)|Connection error)/,
  /\b(?:authentication|invalid_request|api)_error\b|\b(?:429|5\d\d) \{"type":"error"/,
  ...RATE_LIMIT_TEXTS,
]

/** Whether words of the program tell that the service did not answer. */
export function isApiErrorText(text: string): boolean {
  return API_ERROR_TEXTS.some((pattern) => pattern.test(text.trimStart()))
}
