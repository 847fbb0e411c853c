/** More than any session could use, and few enough that sums of them stay whole. */
const MOST = 1e12

/** A number of tokens as a program tells it; what cannot be one counts nothing. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < MOST ? value : 0
}
