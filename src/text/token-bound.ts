/**
 * How many tokens a text has at most, without the two megabytes of vocabulary that counting needs. For answers that must
 * be short and fast at once: an estimate on the high side, some 1.3 times the true count of prose and code. It is no
 * proof for texts made to defeat it; where a budget must hold to the token, count (tokens.ts).
 */
export function tokensAtMost(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECE)) tokens += pieceBound(piece)
  return Math.ceil(tokens)
}

/** Roughly as the tokenizer cuts: a word with the space before it, up to three digits, a run of marks, spacing. */
const PIECE =
  /(?=[A-Za-z+/=]{0,12}\d)[A-Za-z0-9+/=]{20,}| ?(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)|\d{1,3}| ?[!-/:-@[-`{-~]+|[ \t]+|[\r\n]+|[^\x00-\x7f]|[\x00-\x1f\x7f]/g

/** Letters that no language would write: keys, digests, base64. Hardly any two of them share a token. */
const UNPRONOUNCEABLE = /[b-df-hj-np-tv-xz]{5}|[aeiouy]{5}/i
const LONGEST_WORD = 20
const CJK = [
  [0x3000, 0x30ff],
  [0x3400, 0x9fff],
  [0xac00, 0xd7af],
  [0xff00, 0xffef],
] as const
/** Greek, Cyrillic, Hebrew, Arabic, the scripts of India, Thai. */
const COMMON_ALPHABETS = [
  [0x370, 0x74f],
  [0x900, 0xe7f],
] as const
const PUNCTUATION = [
  [0x2010, 0x205e],
  [0x2190, 0x21ff],
  [0x2500, 0x257f],
] as const

/** What stands between keys and values has tokens of its own. */
const JSON_MARKS = new Set(['":"', '","', '":{"', '":["', '"}', '{"', '":', ',"', '"},{"', '":['])

function pieceBound(piece: string): number {
  const word = piece.trim()
  const length = word.length
  if (length === 0) return Math.ceil(piece.length / 16)
  const code = word.charCodeAt(0)
  if (code >= 0x80) return foreignBound(word)
  if (/[a-z]\d|\d[a-z]/i.test(word)) return length / 1.2 // keys and digests
  if (!/[a-z]/i.test(word)) return /\d/.test(word) || JSON_MARKS.has(word) ? 1 : Math.ceil(length / 2)
  if (length > LONGEST_WORD || UNPRONOUNCEABLE.test(word)) return Math.ceil(length / 1.6)
  if (/^[A-Z]{2,}$/.test(word)) return Math.ceil(length / 2)
  // A word after a space is mostly a token of its own; in the middle of an identifier it is not.
  return piece.startsWith(' ') ? Math.ceil(length / 6) : Math.ceil(length / 4.5)
}

function foreignBound(character: string): number {
  const code = character.charCodeAt(0)
  if (code < 0x250 || within(code, COMMON_ALPHABETS) || within(code, PUNCTUATION)) return 1
  return within(code, CJK) ? 1.5 : Buffer.byteLength(character)
}

function within(code: number, ranges: readonly (readonly [from: number, to: number])[]): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to)
}
