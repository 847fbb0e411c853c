import { asNumber, asObject, asString, parseObject } from '../../text/json.ts'
import type { ServiceFailure } from '../agent-run.ts'
import { serviceFailure } from '../service-failure.ts'

/** How both programs begin what they say when the service did not answer. */
const API_ERROR = /^\s*\[API Error: ([\s\S]*?)\](?=\s*(?:\n|$))/

/** What the service said when it did not answer; undefined for any other words of the program. */
export function apiError(message: string): ServiceFailure | undefined {
  const told = API_ERROR.exec(message)?.[1]
  if (told === undefined) return undefined
  const error = asObject(parseObject(told)?.['error'])
  const status = asNumber(error?.['code']) ?? asNumber(Number(/^(\d{3})\b/.exec(told)?.[1]))
  const failure = serviceFailure(message, status, [asString(error?.['status'])])
  return { ...failure, words: asString(error?.['message']) ?? told }
}
