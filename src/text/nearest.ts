/** Of the words that there are, the one that was most likely meant; none where all are too different. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const word = typed.toLowerCase()
  const most = Math.max(1, Math.floor(word.length * 0.4))
  let nearest: { word: string; slips: number } | undefined
  for (const candidate of words) {
    // Who has typed only the beginning has made no slip.
    const slips = word.length > 2 && candidate.startsWith(word) ? 0.5 : slipsBetween(word, candidate)
    if (slips <= most && (nearest === undefined || slips < nearest.slips))
      nearest = { word: candidate, slips }
  }
  return nearest?.word
}

/** Letters that were left out, added, mistaken or swapped (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const mistaken = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, mistaken, swapped ? before[j - 2]! + 1 : mistaken))
    }
    before = row
    row = next
  }
  return row[b.length]!
}
