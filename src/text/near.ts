/** Of the known words those that somebody who typed this may have meant, the likeliest first. */
export function nearestTo(typed: string, known: readonly string[], most = 3): string[] {
  const wanted = typed.toLowerCase()
  // A slip in a short word makes another word of it.
  const allowed = wanted.length < 4 ? 1 : 2
  return known
    .map((word) => ({ word, slips: slips(wanted, word.toLowerCase(), allowed) }))
    .filter((one) => one.slips <= allowed)
    .sort((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ word }) => word)
}

/** Letters put in, left out, mistaken or swapped with the next one; more than `most` are not counted. */
function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let at = 1; at <= b.length; at++) {
      const isSame = a[row - 1] === b[at - 1]
      const isSwapped = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1]
      next[at] = Math.min(
        last[at]! + 1,
        next[at - 1]! + 1,
        last[at - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[at - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[b.length]!
}
