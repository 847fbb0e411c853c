/** Of how many neighbouring words a text says in a few sentences what it says; and from how many on a vector tells little of it. */
const IN_FULL = { most: 40, none: 60 } as const

/**
 * How far the documents that were found are longer than what a vector tells in full, 0 to 1: by the middle one of them, since it is
 * about all of them alike. If each were judged by its own length, long ones would pass short ones for nothing but their length.
 */
export function beyondVectors(lengths: readonly number[]): number {
  if (lengths.length === 0) return 0
  const middle = lengths.toSorted((a, b) => a - b)[lengths.length >> 1]!
  const { most, none } = IN_FULL
  return Math.min(1, Math.max(0, Math.log(middle / most) / Math.log(none / most)))
}

/**
 * The same likenesses, the highest to the first by `order`: so what decides between documents has no say in whether
 * anything is alike enough to be shown.
 */
export function handedOut(likenesses: readonly number[], order: readonly number[]): number[] {
  const highest = likenesses.toSorted((a, b) => b - a)
  const first = [...order.keys()].toSorted((a, b) => order[b]! - order[a]! || likenesses[b]! - likenesses[a]!)
  const out = new Array<number>(likenesses.length)
  for (const [place, at] of first.entries()) out[at] = highest[place]!
  return out
}
