import { asNumber, asObject, asString, type JsonObject, parseObject } from '../../text/json.ts'
import { closedByService, closing } from '../closing.ts'
import type { AgentEvent, ResultEvent } from '../events.ts'
import { serviceFailure } from '../service-failure.ts'

/** opencode's names for what service-failure.ts knows by the services' own. */
const NAMES: Record<string, string> = {
  ContextOverflowError: 'context_overflow',
  ProviderAuthError: 'authentication',
}

/** The context was too large: opencode makes a summary of it and goes on. */
export function isOverflow(error: JsonObject): boolean {
  return error['name'] === 'ContextOverflowError'
}

/** How an error ended the answer, as the stream and the stored message tell it. */
export function failureEvents(error: JsonObject): AgentEvent[] {
  const name = asString(error['name']) ?? 'unknown'
  if (name === 'MessageAbortedError') return [{ kind: 'interrupted' }]
  const data = asObject(error['data']) ?? {}
  const words = asString(data['message']) || asString(error['message']) || name
  // The model's own limit, no refusal of its service.
  if (name === 'MessageOutputLengthError')
    return [{ kind: 'result', result: gaveUp('error_output_length', words) }]
  const service = serviceFailure(words, asNumber(data['statusCode']), [NAMES[name], ...serviceNames(data)])
  return [
    { kind: 'api_failure', failure: service, subAgent: false },
    { kind: 'result', result: closedByService(service) },
  ]
}

/** What the service itself called it. */
function serviceNames(data: JsonObject): (string | undefined)[] {
  const error = asObject(parseObject(asString(data['responseBody']) ?? '')?.['error'])
  return [asString(error?.['type']), asString(error?.['code'])]
}

/** The program went no further, and not because of the service. */
export function gaveUp(subtype: string, text: string): ResultEvent {
  return closing({ subtype, isError: true, text, errors: [text] })
}
