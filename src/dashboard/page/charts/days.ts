const DAY = 86_400_000
/** Somebody's clock was wrong: a calendar with all days in between would be endless. */
const MOST_DAYS = 20_000
const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

interface OfADay {
  /** 2026-11-17 */
  day: string
}

/** Those days and all that lie between them, in order. */
export function everyDay<Item extends OfADay>(days: readonly Item[], quiet: (day: string) => Item): Item[] {
  const known = new Map(days.map((item) => [item.day, item]))
  const times = days.map(({ day }) => Date.parse(day)).filter((time) => !Number.isNaN(time))
  if (times.length === 0) return []
  const first = Math.min(...times)
  const count = (Math.max(...times) - first) / DAY + 1
  if (count > MOST_DAYS) return days.toSorted((one, other) => (one.day < other.day ? -1 : 1))
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(first + at * DAY).toISOString().slice(0, 10)
    return known.get(day) ?? quiet(day)
  })
}

/** "17 Nov", or of several "3 Nov – 9 Nov". */
export function spanOf(days: readonly OfADay[]): string {
  const [first, last] = [days[0]!.day, days.at(-1)!.day].map((day) => SHORT.format(Date.parse(day)))
  return first === last ? first! : `${first} – ${last}`
}
