import { asNumber, asObject } from '../../text/json.ts'

/** opencode counts milliseconds. */
export function timestampOf(milliseconds: unknown): string | undefined {
  const date = new Date(asNumber(milliseconds) ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** One of the moments in the `time` of a session, a message or a part. */
export function momentOf(value: unknown, ...names: readonly string[]): number | undefined {
  const time = asObject(asObject(value)?.['time'])
  for (const name of names) {
    const moment = asNumber(time?.[name])
    if (moment !== undefined) return moment
  }
  return undefined
}
