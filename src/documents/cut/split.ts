import { SENTENCE_END } from '../../text/sentences.ts'
import type { DocumentLine } from './block.ts'

export type CountTokens = (text: string) => number

/** A stretch of a block that is never cut again. */
interface Atom {
  text: string
  at: number
  tokens: number
  /** False where it goes on in the same line. */
  endsLine: boolean
}

export interface SplitPart {
  text: string
  first: number
  last: number
  tokens: number
}

/** How much of what is wanted is enough to end at a blank line, where a sentence, an item or a row ends, and anywhere. */
const ENOUGH = { blank: 0.6, well: 0.8, anywhere: 1.3 } as const
const ENDS_WELL = /[.!?:。！？]["'`)\]]*$|^\s*[)\]}]+[;,]?\s*$/
const BEGINS_WELL = /^\s*(?:[-*+•|]|\d+[.)])\s/

/** A block that is too long, in parts of about the same length: at the ends of sentences, items and rows, else between lines. */
export function splitLong(lines: readonly DocumentLine[], most: number, count: CountTokens): SplitPart[] {
  const atoms = lines.flatMap((line) => atomsOf(line, most, count))
  const total = atoms.reduce((sum, { tokens }) => sum + tokens, 0)
  const wanted = total / Math.ceil(total / most)
  const parts: SplitPart[] = []
  let current: Atom[] = []
  let tokens = 0
  const close = () => {
    if (current.length > 0) parts.push(partOf(current, tokens))
    current = []
    tokens = 0
  }
  for (const [at, atom] of atoms.entries()) {
    if (current.length === 0 && atom.text.trim() === '') continue
    if (tokens + atom.tokens > most) close()
    current.push(atom)
    tokens += atom.tokens
    if (tokens >= wanted * enoughBetween(atom.text, atoms[at + 1]?.text)) close()
  }
  close()
  return parts
}

function enoughBetween(before: string, after: string | undefined): number {
  if (after?.trim() === '') return ENOUGH.blank
  return ENDS_WELL.test(before) || (after !== undefined && BEGINS_WELL.test(after))
    ? ENOUGH.well
    : ENOUGH.anywhere
}

function partOf(atoms: readonly Atom[], tokens: number): SplitPart {
  const text = atoms.map((atom) => atom.text + (atom.endsLine ? '\n' : ' ')).join('')
  return { text: text.trimEnd(), first: atoms[0]!.at, last: atoms.at(-1)!.at, tokens }
}

/** A line as it is, or one that is too long in sentences, and these, if need be, between words or anywhere. */
function atomsOf({ text, at }: DocumentLine, most: number, count: CountTokens): Atom[] {
  const tokens = count(`${text}\n`)
  if (tokens <= most) return [{ text, at, tokens, endsLine: true }]
  const pieces = text.split(SENTENCE_END).flatMap((sentence) => shortEnough(sentence, most, count))
  return pieces.map((piece, index) => ({
    text: piece,
    at,
    tokens: count(`${piece} `),
    endsLine: index === pieces.length - 1,
  }))
}

/** No token is longer than this on the whole: a stretch of so many characters for each fits. */
const CHARACTERS_PER_TOKEN = 2

function shortEnough(sentence: string, most: number, count: CountTokens): string[] {
  if (count(sentence) < most) return [sentence]
  const length = most * CHARACTERS_PER_TOKEN
  const pieces: string[] = []
  for (let rest = sentence; rest !== ''; ) {
    const space = rest.length > length ? rest.lastIndexOf(' ', length) : rest.length
    const end = space > length / 2 ? space : length
    const piece = rest.slice(0, end).toWellFormed()
    pieces.push(...(count(piece) < most ? [piece] : halves(piece)))
    rest = rest.slice(end).trimStart()
  }
  return pieces
}

/** Letters of which each takes several tokens. */
function halves(text: string): string[] {
  const length = Math.ceil(text.length / 4)
  return [0, 1, 2, 3].map((at) => text.slice(at * length, (at + 1) * length).toWellFormed()).filter(Boolean)
}
