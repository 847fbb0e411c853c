const UNITS: Record<string, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
}
const SHORT: Record<string, string> = {
  min: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
}
const AGO =
  /^(?:(?:the )?(?:last|past) )?(\d{1,5}|an?)?\s*(minute|hour|day|week|month|year|min|mo|h|d|w|y)s?(?: ago)?$/
const DATE = /^\d{4}(?:-\d{1,2}(?:-\d{1,2}(?:[T ]\d{2}:\d{2}.*)?)?)?$/

/** A time as people write it: 2026-02-07, "2 weeks", 3d, "last week", yesterday; undefined for anything else. */
export function pastTime(text: string, now: Date = new Date()): Date | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  if (words === 'today' || words === 'yesterday') {
    const day = new Date(now)
    day.setHours(0, 0, 0, 0)
    if (words === 'yesterday') day.setDate(day.getDate() - 1)
    return day
  }
  const [ago, count = '1', unit] = AGO.exec(words) ?? []
  if (ago !== undefined && unit !== undefined) {
    const many = /^an?$/.test(count) ? 1 : Number(count)
    return new Date(now.getTime() - many * UNITS[SHORT[unit] ?? unit]!)
  }
  if (!DATE.test(text.trim())) return undefined
  const date = new Date(text.trim())
  return Number.isNaN(date.getTime()) ? undefined : date
}
