import type { Block } from './block.ts'
import { type CountTokens, splitLong } from './split.ts'

/** In tokens. */
const PIECE_TOKENS = { least: 256, most: 512 } as const
/** A section that is shorter than this says too little by itself: it goes with what follows, whatever that is. */
const TOO_LITTLE = 64

/** A piece of a document as it will be found. */
export interface CutPiece {
  headings: string[]
  text: string
  /** Lines, or pages. */
  first: number
  last: number
  tokens: number
}

interface Unit {
  text: string
  first: number
  last: number
  tokens: number
  path: readonly string[]
  isHeading: boolean
}

/**
 * Blocks → pieces of 256 to 512 tokens: paragraphs as long as they fit, a new piece where a heading comes and there is enough,
 * several short sections in one. No heading ends a piece, and no paragraph, table or code is torn that fits into one.
 */
export function pack(blocks: readonly Block[], count: CountTokens): CutPiece[] {
  const sections = sectionsOf(unitsOf(blocks, count))
  const pieces: Unit[][] = []
  let current: Unit[] = []
  const close = () => {
    if (current.length > 0) pieces.push(current)
    current = []
  }
  for (const section of sections) {
    const [had, comes] = [sizeOf(current), sizeOf(section)]
    if (had >= PIECE_TOKENS.least || (had >= TOO_LITTLE && had + comes > PIECE_TOKENS.most)) close()
    for (const unit of section) {
      if (sizeOf(current) + unit.tokens > PIECE_TOKENS.most) {
        const opening = headingsAtEnd(current)
        current.splice(current.length - opening.length)
        close()
        current = opening
      }
      current.push(unit)
    }
  }
  close()
  return withTail(pieces).map(pieceOf)
}

function unitsOf(blocks: readonly Block[], count: CountTokens): Unit[] {
  const path: { level: number; name: string }[] = []
  return blocks.flatMap(({ lines, level, name }) => {
    if (level !== undefined) {
      while (path.length > 0 && path.at(-1)!.level >= level) path.pop()
      path.push({ level, name: name ?? '' })
    }
    const names = path.map((heading) => heading.name)
    const common = {
      path: level === undefined && name !== undefined ? [...names, name] : names,
      isHeading: level !== undefined,
    }
    const text = lines.map((line) => line.text).join('\n')
    // A blank line will stand before the next.
    const tokens = count(`${text}\n\n`)
    if (tokens > PIECE_TOKENS.most)
      return splitLong(lines, PIECE_TOKENS.most, count).map((part) => ({ ...part, ...common }))
    return [{ text, first: lines[0]!.at, last: lines.at(-1)!.at, tokens, ...common }]
  })
}

/** Each begins with its headings; those directly below each other open one together. */
function sectionsOf(units: readonly Unit[]): Unit[][] {
  const sections: Unit[][] = []
  for (const [at, unit] of units.entries()) {
    if (at === 0 || (unit.isHeading && !units[at - 1]!.isHeading)) sections.push([])
    sections.at(-1)!.push(unit)
  }
  return sections
}

function sizeOf(units: readonly Unit[]): number {
  return units.reduce((sum, { tokens }) => sum + tokens, 0)
}

function headingsAtEnd(units: readonly Unit[]): Unit[] {
  const last = units.findLastIndex(({ isHeading }) => !isHeading)
  return units.slice(last + 1)
}

/** What is left over at the end goes with the piece before it, where both fit into one. */
function withTail(pieces: readonly Unit[][]): Unit[][] {
  const [before, last] = pieces.slice(-2)
  if (!before || !last || sizeOf(last) >= PIECE_TOKENS.least) return [...pieces]
  if (sizeOf(before) + sizeOf(last) > PIECE_TOKENS.most) return [...pieces]
  return [...pieces.slice(0, -2), [...before, ...last]]
}

function pieceOf(units: readonly Unit[]): CutPiece {
  return {
    headings: headingsOf(units),
    text: units.map(({ text }) => text).join('\n\n'),
    first: units[0]!.first,
    last: units.at(-1)!.last,
    tokens: sizeOf(units),
  }
}

const MOST_NAMES = 6

/** What all of it stands under, then what its sections are called. */
function headingsOf(units: readonly Unit[]): string[] {
  const paths = units.map(({ path }) => path)
  const shortest = Math.min(...paths.map(({ length }) => length))
  let shared = 0
  while (shared < shortest && paths.every((path) => path[shared] === paths[0]![shared])) shared++
  const below = [...new Set(paths.flatMap((path) => path[shared] ?? []))].filter(Boolean)
  const names = below.length > MOST_NAMES ? [...below.slice(0, MOST_NAMES), '…'] : below
  return [...paths[0]!.slice(0, shared), ...(names.length > 0 ? [names.join(' · ')] : [])]
}
