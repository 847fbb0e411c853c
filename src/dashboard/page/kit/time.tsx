const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** "3 hr. ago", the whole time as its title. */
export function Time({ at }: { at: string | null | undefined }) {
  const time = at ? Date.parse(at) : Number.NaN
  if (Number.isNaN(time)) return <span class="dim">unknown</span>
  return (
    <time dateTime={at!} title={new Date(time).toLocaleString()}>
      {ago(time, Date.now())}
    </time>
  )
}

function ago(time: number, now: number): string {
  const seconds = (time - now) / 1_000
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit)
  }
  return 'just now'
}
