import { asNumber, asObject, objects } from '../../text/json.ts'

/** When a plan's quota that is used up is renewed, ISO 8601. */
export function exhaustedUntil(rateLimits: unknown): string | undefined {
  const limits = asObject(rateLimits)
  const times = objects([limits?.['primary'], limits?.['secondary']])
    .filter((window) => (asNumber(window['used_percent']) ?? 0) >= 100)
    .map((window) => asNumber(window['resets_at']))
    .filter((seconds) => seconds !== undefined)
    // Beyond the calendar's range a date cannot be written out.
    .filter((seconds) => Math.abs(seconds) < 8.64e12)
  return times.length > 0 ? new Date(Math.max(...times) * 1000).toISOString() : undefined
}
