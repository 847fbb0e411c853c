import { matchingWords, type Stretch } from './matching-words.ts'

/** The part of a text that answers a question best. */
export interface Passage {
  /** One line; "…" where something was left out. */
  text: string
  /** Where the question's words stand in it: [from, to) in UTF-16 units, in order, none overlapping. */
  marks: [from: number, to: number][]
  /** Those words as the whole text writes them, each once. */
  words: string[]
}

/** A pasted log is not looked through any further. */
const LOOKED_AT = 64_000
/** Of the passage, how much stands before the first of the words. */
const LEAD = 0.2
const MOST_WORDS = 12

export function passageOf(whole: string, question: string, longest: number): Passage {
  const text = whole.slice(0, LOOKED_AT).replace(/\s+/g, ' ').trim().toWellFormed()
  const found = matchingWords(text, question)
  const { from, to } = window(text, found, longest)
  const before = from > 0 ? '…' : ''
  const after = to < text.length || whole.length > LOOKED_AT ? '…' : ''
  const inside = found.filter((one) => one.from >= from && one.to <= to)
  const shift = before.length - from
  return {
    text: before + text.slice(from, to) + after,
    marks: inside.map((one) => [one.from + shift, one.to + shift]),
    words: wordsOf(text, found),
  }
}

function wordsOf(text: string, found: readonly Stretch[]): string[] {
  const words = new Map<string, string>()
  for (const { from, to, term } of found) if (!words.has(term)) words.set(term, text.slice(from, to))
  return [...words.values()].slice(0, MOST_WORDS)
}

/** Where most different words of the question stand together, the earliest of equals; cut between words. */
function window(text: string, found: readonly Stretch[], longest: number): { from: number; to: number } {
  if (text.length <= longest) return { from: 0, to: text.length }
  const room = longest * (1 - LEAD)
  let best = { from: 0, terms: 0 }
  for (const [at, first] of found.entries()) {
    const terms = new Set<string>()
    for (let next = at; next < found.length && found[next]!.to <= first.from + room; next++)
      terms.add(found[next]!.term)
    if (terms.size > best.terms) best = { from: first.from, terms: terms.size }
  }
  const start = Math.max(0, Math.min(Math.round(best.from - longest * LEAD), text.length - longest))
  const from = start === 0 ? 0 : wordStart(text, start, best.from)
  const to = from + longest >= text.length ? text.length : wordEnd(text, from, from + longest)
  return { from, to }
}

/** How far a cut is moved to stand between words. */
const NEARBY = 30

function wordStart(text: string, at: number, before: number): number {
  const space = text.indexOf(' ', at)
  if (space !== -1 && space < Math.min(before, at + NEARBY)) return space + 1
  return isInside(text, at) ? at + 1 : at
}

function wordEnd(text: string, from: number, at: number): number {
  const space = text.lastIndexOf(' ', at)
  if (space > Math.max(from, at - NEARBY)) return space
  return isInside(text, at) ? at - 1 : at
}

/** Between the two halves of a surrogate pair. */
function isInside(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
