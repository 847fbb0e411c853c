/**
 * What a text must hold, in lower case, for a pattern to match at its beginning: one of these words. Looking for a few
 * words is far cheaper than trying a pattern everywhere. Undefined where a pattern can begin with anything.
 */
export function hintsOf(source: string): string[] | undefined {
  const words = alternatives(source).map(firstWords)
  return words.every((found) => found !== undefined) ? [...new Set(words.flat())] : undefined
}

/** Boundaries and lookbehinds take no letters. */
const BEFORE = /^(?:\\b|\^|\(\?<[!=][^()]*\))+/
const LITERAL = /^(?:[\w :@"~-]|\\[./$*+?|:-])+/
const SHORTEST = 2

function firstWords(source: string): string[] | undefined {
  const start = source.replace(BEFORE, '')
  if (start.startsWith('(')) {
    const end = closing(start)
    const inner = start.slice(1, end).replace(/^\?:/, '')
    // A lookahead, or a group that may be absent, promises nothing.
    if (inner.startsWith('?') || /^[?*{]/.test(start.slice(end + 1))) return undefined
    return hintsOf(inner)
  }
  const literal = LITERAL.exec(start)?.[0] ?? ''
  const certain = /^[?*{]/.test(start.slice(literal.length)) ? literal.replace(/\\?.$/, '') : literal
  const word = certain.replaceAll('\\', '').toLowerCase()
  return word.length >= SHORTEST ? [word] : undefined
}

/** The parts between bars that stand in no group and no class. */
function alternatives(source: string): string[] {
  const bars = positions(source).filter(({ at, depth }) => source[at] === '|' && depth === 0)
  const edges = [-1, ...bars.map(({ at }) => at), source.length]
  return edges.slice(1).map((end, index) => source.slice(edges[index]! + 1, end))
}

function closing(source: string): number {
  return positions(source).find(({ at, depth }) => source[at] === ')' && depth === 0)?.at ?? source.length
}

/** Every character that is not escaped and stands in no class, with how many groups are open around it. */
function positions(source: string): { at: number; depth: number }[] {
  const found: { at: number; depth: number }[] = []
  let depth = 0
  let inClass = false
  for (let at = 0; at < source.length; at++) {
    const character = source[at]
    if (character === '\\') at++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else {
      if (character === ')') depth--
      found.push({ at, depth })
      if (character === '(') depth++
    }
  }
  return found
}
