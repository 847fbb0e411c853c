/** A figure, and where it would lie in 95 of 100 such samples of questions. */
export interface Estimate {
  value: number
  low: number
  high: number
  /** Over how many. */
  of: number
}

const RESAMPLES = 1_000
const SEED = 20_260_207

/** By the percentiles of what other draws from the same questions would have given; the same every time. */
export function estimate<Item>(
  items: readonly Item[],
  statistic: (items: readonly Item[]) => number,
): Estimate | undefined {
  if (items.length === 0) return undefined
  const random = randomNumbers(SEED)
  const drawn = Array.from({ length: RESAMPLES }, () =>
    statistic(items.map(() => items[Math.floor(random() * items.length)]!)),
  ).sort((a, b) => a - b)
  const at = (share: number) => drawn[Math.min(RESAMPLES - 1, Math.floor(share * RESAMPLES))]!
  return { value: statistic(items), low: at(0.025), high: at(0.975), of: items.length }
}

export function estimateMean(values: readonly number[]): Estimate | undefined {
  return estimate(values, mean)
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Mulberry32: small, and the same on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
