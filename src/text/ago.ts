import { plural } from './plural.ts'

/** "3 seconds ago", "2 days ago". */
export function ago(time: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - time.getTime()) / 1_000))
  for (const [size, unit] of UNITS)
    if (seconds >= size) return `${plural(Math.floor(seconds / size), unit)} ago`
  return 'just now'
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const
