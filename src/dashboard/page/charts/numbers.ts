const WHOLE = new Intl.NumberFormat('en-GB')
const SHORT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })
const CENTS = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const FRACTIONS = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 2 })

export const wholeNumber = (value: number): string => WHOLE.format(value)

/** "12k", for axes and narrow places. */
export const shortNumber = (value: number): string => SHORT.format(value)

/** Below a cent two digits that say something, above it cents. */
export function dollars(value: number): string {
  return `$${value > 0 && value < 0.01 ? FRACTIONS.format(value) : CENTS.format(value)}`
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`
}
