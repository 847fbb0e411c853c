/** What a limit is for. */
export type SpendPeriod = 'month' | 'total'

/** "2026-11": the calendar month in UTC, the same on every machine. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7)
}

/** When the month after this one begins. */
export function nextMonth(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1))
}

/** "November 2026". */
export function monthInWords(month: string): string {
  const [year, number] = month.split('-')
  if (number === undefined) return 'earlier'
  const name = new Date(Date.UTC(Number(year), Number(number) - 1)).toLocaleString('en', {
    month: 'long',
    timeZone: 'UTC',
  })
  return `${name} ${year}`
}
