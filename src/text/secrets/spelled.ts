import type { SecretPlace } from './finder.ts'

/**
 * Characters that somebody wrote as their numbers, in the ways of JSON, of programs, shells and pages, and letters as wide as Chinese ones.
 * Of the wide ones only letters and digits: as marks of sentences they stand in every Chinese line.
 */
const SPELLED =
  /\\{1,2}(?:u(?:00([2-7][\da-fA-F])|\{0{0,4}([2-7][\da-fA-F])\})|x([2-7][\da-fA-F])|(0[4-7][0-7]|1[0-7]{2}))|&#(?:0{0,5}(\d{2,3})|[xX]0{0,5}([2-7][\da-fA-F]));?|[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g
/** The same, to go from line to line with. */
const NEXT = new RegExp(SPELLED)
const WIDE = /[\uff01-\uff5e]/g
const WIDE_LETTER = /[\uff10-\uff5a]/
const SIGNS = ['\\u00', '\\u{', '\\x', '\\0', '\\1', '&#']
/** Of names and values: brackets and quotes are spelled everywhere, and hide neither. */
const OF_SECRETS = /[\w=:-]/
const WIDER_BY = 0xfee0
const LAST = 0x7e

/** Secrets in lines that spell some of their characters otherwise: `find` says what is in a line in plain letters. */
export function spelledPlaces(text: string, find: (plain: string) => readonly SecretPlace[]): SecretPlace[] {
  const places: SecretPlace[] = []
  if (!maySpell(text)) return places
  NEXT.lastIndex = 0
  for (let first = NEXT.exec(text); first !== null; first = NEXT.exec(text)) {
    if (!OF_SECRETS.test(String.fromCharCode(codeOf(first) ?? 0))) continue
    const start = text.lastIndexOf('\n', first.index) + 1
    const after = text.indexOf('\n', first.index)
    const end = after === -1 ? text.length : after
    const { plain, placeOf } = inPlainLetters(text.slice(start, end))
    for (const { from, to, kind } of find(plain))
      places.push({ from: start + placeOf(from), to: start + placeOf(to), kind })
    NEXT.lastIndex = end
  }
  return places
}

/** Far quicker than the pattern, and nearly always enough. */
function maySpell(text: string): boolean {
  return SIGNS.some((sign) => text.includes(sign)) || WIDE_LETTER.test(text)
}

function inPlainLetters(line: string): { plain: string; placeOf: (at: number) => number } {
  // Where what was spelled ends: in plain letters, and in the line.
  const ends: { plain: number; line: number }[] = []
  let plain = ''
  let done = 0
  for (const match of line.matchAll(SPELLED)) {
    const code = codeOf(match)
    if (code === undefined) continue
    plain += line.slice(done, match.index) + String.fromCharCode(code)
    done = match.index + match[0].length
    ends.push({ plain: plain.length, line: done })
  }
  plain += line.slice(done)
  const placeOf = (at: number) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]!.plain <= at) low = middle + 1
      else high = middle
    }
    const before = ends[low - 1] ?? { plain: 0, line: 0 }
    return before.line + at - before.plain
  }
  const narrow = (wide: string) => String.fromCharCode(wide.charCodeAt(0) - WIDER_BY)
  return { plain: plain.replace(WIDE, narrow), placeOf }
}

function codeOf([wide, short, braced, hex, octal, decimal, entity]: RegExpMatchArray): number | undefined {
  const sixteen = short ?? braced ?? hex ?? entity
  if (sixteen !== undefined) return Number.parseInt(sixteen, 16)
  if (octal !== undefined) return Number.parseInt(octal, 8)
  if (decimal === undefined) return wide.charCodeAt(0) - WIDER_BY
  const code = Number(decimal)
  return code >= 0x20 && code <= LAST ? code : undefined
}
