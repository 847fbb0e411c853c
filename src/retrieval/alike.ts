import { removeHidden } from '../text/hidden-characters.ts'
import { denyEachOther } from '../text/polarity/polarity.ts'

/** How far a text is looked at when two are compared. */
const COMPARED_CHARACTERS = 2_000
const SAME_WORDS = 0.85
/** How far it is read for what it denies. */
const READ_CHARACTERS = 600
/** A thing is said or denied: more that differ in this way only are repetition again. */
const SIDES = 2
const NOT_ASCII = /[^\0-\x7f]/

/**
 * Repetition does not vote: of those that say nearly the same, the best stands for all, with how many others it stands for.
 * What says the opposite in the same words is no repetition. They come best first.
 */
export function withoutAlike<Found>(
  found: readonly Found[],
  textOf: (one: Found) => string,
): [best: Found, alike: number][] {
  const kept: (Read & { one: Found; alike: number })[] = []
  for (const one of found) {
    const read = readText(textOf(one))
    const near = kept.filter((other) => sharedPart(other.words, read.words) >= SAME_WORDS)
    const same =
      near.find((other) => !saysOtherwise(other, read)) ?? (near.length < SIDES ? undefined : near[0])
    if (same) same.alike++
    else kept.push({ ...read, one, alike: 0 })
  }
  return kept.map(({ one, alike }) => [one, alike])
}

interface Read {
  text: string
  words: ReadonlySet<string>
}

function readText(text: string): Read {
  return { text: text.slice(0, READ_CHARACTERS), words: wordsOf(text) }
}

/** One word in twenty may be the "not" that matters. Where the words are the same, there is none. */
function saysOtherwise(a: Read, b: Read): boolean {
  return sharedPart(a.words, b.words) < 1 && denyEachOther(a.text, b.text)
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
