/** Three digits that count, as far as anybody reads them. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 100) return Math.round(value).toLocaleString('en')
  if (value >= 10) return value.toFixed(0)
  return value >= 1 ? value.toFixed(1) : value.toFixed(2)
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share === 1 ? 0 : 1)} %`
}

/** How many times as much: "2.3 ×". */
export function times(much: number, than: number): string {
  return `${short(much / than)} ×`
}
