import { asNumber, asObject, asString, parseObject } from '../../text/json.ts'
import type { ServiceFailure } from '../agent-run.ts'
import { closedByService, closing } from '../closing.ts'
import type { AgentEvent } from '../events.ts'
import { serviceFailure } from '../service-failure.ts'

/** Why a turn failed, from its words and, where the rollout has it, the program's own code for it. */
export function turnFailure(message: string, info?: unknown): ServiceFailure {
  const body = asObject(parseObject(message)?.['error'])
  const codes = asObject(info)
  const status = Object.values(codes ?? {})
    .map((details) => asNumber(asObject(details)?.['http_status_code']))
    .find((found) => found !== undefined)
  const names = [
    asString(info),
    ...Object.keys(codes ?? {}),
    asString(body?.['type']),
    asString(body?.['code']),
  ]
  return serviceFailure(asString(body?.['message']) ?? message, status ?? statusIn(message), names)
}

function statusIn(message: string): number | undefined {
  const status = /\bstatus:? (\d{3})\b/.exec(message)?.[1]
  return status === undefined ? undefined : Number(status)
}

/** How a turn ended: with the agent's last words, or with what went wrong. */
export function turnEnd(
  text: string,
  service: ServiceFailure | undefined,
  durationMs?: number,
): AgentEvent[] {
  if (!service) return [{ kind: 'result', result: closing({ text, durationMs }) }]
  const resetsAt = service.cause === 'rate_limit' ? resetIn(service.words) : undefined
  const result = closedByService(service, { durationMs })
  return [...(resetsAt ? [{ kind: 'quota', resetsAt } as const] : []), { kind: 'result', result }]
}

/** "try again at Nov 17th, 2026 7:20 AM", of today "at 7:20 AM": by the clock of the machine that the program runs on. */
function resetIn(words: string): string | undefined {
  const [, day, time] =
    /\btry again at (\w{3,9} \d{1,2}(?:st|nd|rd|th)?, \d{4} )?(\d{1,2}:\d{2} [AP]M)/i.exec(words) ?? []
  if (time === undefined) return undefined
  const date = new Date(`${day?.replace(/(?:st|nd|rd|th),/, ',') ?? new Date().toDateString()} ${time}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
