import type { Collection } from './collection.ts'

/**
 * So long whoever waits for an answer waits for the words of what is new. A machine at rest reads ten thousand documents and
 * more in this time; what is left is said, for with it the answer may be another one.
 */
const WITHIN_MS = 4_000

/** Goes on in rounds, each of which is kept, until one says that nothing waits; returns how many wait when the time is up. */
export async function levelInTime(
  { parts, name: key }: Collection,
  round: () => Promise<number>,
): Promise<number> {
  const { notices, levelWithinMs = WITHIN_MS } = parts
  const until = performance.now() + levelWithinMs
  let waiting = await round()
  if (waiting === 0) return 0
  const what = 'bringing the index up to date'
  let total = waiting
  while (waiting > 0 && performance.now() < until) {
    notices.underWay({ key, what, done: total - waiting, total })
    waiting = await round()
    // Others may write meanwhile.
    total = Math.max(total, waiting)
  }
  notices.underWay({ key, what, done: total - waiting, total, ended: true })
  return waiting
}
