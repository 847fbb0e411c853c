import { removeHidden } from '../text/hidden-characters.ts'
import { denyEachOther } from '../text/polarity/polarity.ts'

/** How far a text is looked at when two are compared. */
const COMPARED_CHARACTERS = 2_000
const SAME_WORDS = 0.85
/** How far it is read for what it denies. */
const READ_CHARACTERS = 600
/** A thing is said or denied: more that differ in this way only are repetition again. */
const SIDES = 2
/** The same commands with other flags, paths or patterns are as many ways to do it; more of them are repetition again. */
const WAYS = 3
const NOT_ASCII = /[^\0-\x7f]/

/** A flag, or what code is made of: a path, a pattern, a variable, an assignment. */
const IN_CODE = /(?<=^|[\s"'`(])(?:[-+]{1,2}\w[^\s"'`,;)]*|[^\s"'`,;()]*[/$=*{}|<>][^\s"'`,;()]*)/g

/**
 * Repetition does not vote: of those that say nearly the same, the best stands for all, with how many others it stands for.
 * What says the opposite in the same words is no repetition, nor is another way to do the same. They come best first.
 */
export function withoutAlike<Found>(
  found: readonly Found[],
  textOf: (one: Found) => string,
): [best: Found, alike: number][] {
  const kept: (Read & { one: Found; alike: number })[] = []
  for (const one of found) {
    const read = readText(textOf(one))
    const near = kept.filter((other) => sharedPart(other.words, read.words) >= SAME_WORDS)
    const isOtherWay = near.every((other) => !sameCode(other, read))
    const most = isOtherWay ? WAYS : SIDES
    const same =
      near.find((other) => sameCode(other, read) && !saysOtherwise(other, read)) ??
      (near.length < most ? undefined : near[0])
    if (same) same.alike++
    else kept.push({ ...read, one, alike: 0 })
  }
  return kept.map(({ one, alike }) => [one, alike])
}

interface Read {
  text: string
  visible: string
  words: ReadonlySet<string>
}

function readText(text: string): Read {
  const visible = removeHidden(text.slice(0, COMPARED_CHARACTERS)).text
  return { text: text.slice(0, READ_CHARACTERS), visible, words: wordsOf(visible) }
}

/** Asked only of those whose words are the same, which few are. */
function sameCode(a: Read, b: Read): boolean {
  return codeIn(a.visible).symmetricDifference(codeIn(b.visible)).size === 0
}

/** Its flags, paths and patterns. Numbers tell flags apart; in a path they are mostly those of an attempt. */
function codeIn(visible: string): Set<string> {
  const pieces = visible.match(IN_CODE) ?? []
  return new Set(pieces.map((piece) => (/^[-+]/.test(piece) ? piece : piece.replace(/\d+/g, '0'))))
}

/** One word in twenty may be the "not" that matters. Where the words are the same, there is none. */
function saysOtherwise(a: Read, b: Read): boolean {
  return sharedPart(a.words, b.words) < 1 && denyEachOther(a.text, b.text)
}

/** Numbers are what a repetition changes first, and what nobody sees. */
function wordsOf(visible: string): Set<string> {
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
