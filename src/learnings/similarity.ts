/** Words as they are written, for a first look: no grammar, no meaning. */
export function wordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
}

/** Share of common words among all words of both, 0 to 1. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1
  let common = 0
  for (const word of a) if (b.has(word)) common++
  return common / (a.size + b.size - common)
}
