/** Days are counted from 1970 in UTC, everywhere. */
export const MILLISECONDS_PER_DAY = 86_400_000
