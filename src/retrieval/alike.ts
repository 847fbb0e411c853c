import { removeHidden } from '../text/hidden-characters.ts'

/** How far a text is looked at when two are compared. */
const COMPARED_CHARACTERS = 2_000
const SAME_WORDS = 0.85
const NOT_ASCII = /[^\0-\x7f]/

/**
 * Repetition does not vote: of those that say nearly the same, the best stands for all, with how many others it stands for.
 * They come best first.
 */
export function withoutAlike<Found>(
  found: readonly Found[],
  textOf: (one: Found) => string,
): [best: Found, alike: number][] {
  const kept: { one: Found; alike: number; words: ReadonlySet<string> }[] = []
  for (const one of found) {
    const words = wordsOf(textOf(one))
    const first = kept.find((other) => sharedPart(other.words, words) >= SAME_WORDS)
    if (first) first.alike++
    else kept.push({ one, alike: 0, words })
  }
  return kept.map(({ one, alike }) => [one, alike])
}

/** Numbers are what a repetition changes first, and what nobody sees. */
function wordsOf(text: string): Set<string> {
  const visible = removeHidden(text.slice(0, COMPARED_CHARACTERS)).text
  const words = NOT_ASCII.test(visible)
    ? visible
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*/gu)
    : visible.toLowerCase().match(/[a-z_][a-z0-9_]*/g)
  return new Set(words)
}

/** Of all words of both, how many are in both. */
function sharedPart(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  if (few.size / many.size < SAME_WORDS) return 0
  let shared = 0
  for (const word of few) if (many.has(word)) shared++
  return shared / (a.size + b.size - shared)
}
