import type { SecretPlace } from './finder.ts'
import { looksRandom } from './judge.ts'

const PIECE = String.raw`[\w.~+/=-]`
/** What terminals and programmers put inside a token: the end of a line, or quotes with a plus between. */
const BREAK = String.raw`(?:\\?\n[ \t]{0,16}|["'\x60]\s{0,4}[+.]?\s{0,40}["'\x60])`
const NEXT_PIECE = new RegExp(`${BREAK}(${PIECE}{2,400})(?![\\w=:(])`, 'dy')
const PIECE_BEFORE = new RegExp(`(${PIECE}{2,15})${BREAK}$`)
/** What a break begins with. */
const BREAK_AFTER = /[\\\n"'`]/
const MOST_PIECES = 40
/** A line that a terminal broke is about as long as the terminal is wide. */
const FULL_LINE = 60

/** A stretch of text with what breaks it left out. */
export interface Joined {
  text: string
  /** Where in the text the parts of the stretch come from. */
  parts: readonly { from: number; length: number }[]
}

/** The word with the piece before and the piece after the break next to it; undefined where nothing breaks it. */
export function joined(text: string, from: number, to: number): Joined | undefined {
  const before = mayFollowBreak(text, from)
    ? PIECE_BEFORE.exec(text.slice(Math.max(0, from - 80), from))
    : null
  NEXT_PIECE.lastIndex = to
  const next = BREAK_AFTER.test(text[to] ?? '') ? NEXT_PIECE.exec(text) : null
  if (before === null && next === null) return undefined
  const parts = [{ from, length: to - from }]
  if (before !== null) {
    const start = Math.max(0, from - 80) + before.index
    parts.unshift({ from: start, length: before[1]!.length })
  }
  if (next !== null) parts.push({ from: next.indices![1]![0], length: next[1]!.length })
  return { text: parts.map((part) => text.slice(part.from, part.from + part.length)).join(''), parts }
}

/** A look at a few characters, for most words begin after none: trying the pattern takes far longer. */
function mayFollowBreak(text: string, from: number): boolean {
  let edge = from - 1
  while (from - edge <= 16 && (text[edge] === ' ' || text[edge] === '\t')) edge--
  if (text[edge] === '\n') return /[\w.~+/=\\-]/.test(text[edge - 1] ?? '')
  if (edge !== from - 1 || !/["'`]/.test(text[edge] ?? '')) return false
  do edge--
  while (from - edge <= 50 && /\s/.test(text[edge] ?? ''))
  return /["'`+.]/.test(text[edge] ?? '')
}

/** Where in the text a place of the joined stretch lies, if it holds what the break had parted. */
export function unjoined({ parts }: Joined, { from, to, kind }: SecretPlace): SecretPlace | undefined {
  let passed = 0
  let start: number | undefined
  for (const part of parts) {
    if (from < passed + part.length && start === undefined) start = part.from + from - passed
    if (to <= passed + part.length)
      return start === undefined || start >= part.from
        ? undefined
        : { from: start, to: part.from + to - passed, kind }
    passed += part.length
  }
  return undefined
}

/** The place with what was broken off its end. */
export function whole(text: string, place: SecretPlace): SecretPlace {
  if (place.to - place.from < 16) return place
  let { to } = place
  for (let pieces = 0; pieces < MOST_PIECES; pieces++) {
    NEXT_PIECE.lastIndex = to
    const next = NEXT_PIECE.exec(text)
    if (next === null || !looksRandom(next[1]!)) break
    if (text[to] === '\n' && to - text.lastIndexOf('\n', to - 1) < FULL_LINE) break
    to = next.indices![1]![1]
  }
  return { ...place, to }
}
