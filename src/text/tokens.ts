import { MARK, truncate } from './truncate.ts'

/** Exact for o200k (GPT-4o and later). Claude's own tokenizer is not published; a budget needs one honest measure. */
export interface Tokenizer {
  count(text: string): number
  /** True without counting to the end of a text that is far too long. */
  fits(text: string, max: number): boolean
  /** The text, or as much of its beginning as fits into `max` tokens together with a visible mark. */
  truncate(text: string, max: number): string
}

export async function countTokens(text: string): Promise<number> {
  return text === '' ? 0 : (await loadTokenizer()).count(text)
}

/** Every token covers at least one byte, so a text of `max` bytes fits without loading two megabytes of vocabulary. */
export function surelyFits(text: string, max: number): boolean {
  if (text.length > max) return false
  return text.length * 3 <= max || Buffer.byteLength(text) <= max
}

/** Loading takes some 200 ms once per process, so whoever may not need it asks `surelyFits` first. */
export async function loadTokenizer(): Promise<Tokenizer> {
  const {
    countTokens: countPart,
    encodeGenerator,
    decode,
  } = await import('gpt-tokenizer/encoding/o200k_base')

  const count = (text: string) => slices(text).reduce((sum, slice) => sum + countPart(slice, AS_TEXT), 0)

  /** The first `max` + 1 tokens at most: the rest of a huge text is never looked at. */
  const firstTokens = (text: string, max: number) => {
    const tokens: number[] = []
    for (const slice of slices(text)) {
      for (const piece of encodeGenerator(slice, AS_TEXT)) {
        tokens.push(...piece)
        if (tokens.length > max) return tokens
      }
    }
    return tokens
  }

  const fits = (text: string, max: number) => surelyFits(text, max) || firstTokens(text, max).length <= max

  const cut = (text: string, max: number) => {
    const tokens = firstTokens(text, max)
    if (tokens.length <= max) return text
    // What is cut off changes how the end is split into tokens, hence the loop; it rarely runs more than once or twice.
    for (let room = max - countPart(MARK); room > 0; room--) {
      const kept = truncate(text, sharedLength(text, decode(tokens.slice(0, room))) + MARK.length)
      if (count(kept) <= max) return kept
    }
    return ''
  }

  return { count, fits, truncate: cut }
}

/** `<|endoftext|>` in somebody's log is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/**
 * The library merges byte pairs in quadratic time within one word. No word is this long; a ruler of dashes or a run of
 * spaces can be, and is counted in slices (a difference of at most a token or two per slice).
 */
const LONGEST_WORD = 400
const LONG_RUN = new RegExp(
  `[\\p{L}\\p{M}]{${LONGEST_WORD}}|\\s{${LONGEST_WORD}}|[^\\p{L}\\p{N}\\s]{${LONGEST_WORD}}`,
  'gu',
)

function slices(text: string): string[] {
  if (text.length < LONGEST_WORD) return [text]
  const parts: string[] = []
  let start = 0
  for (const run of text.matchAll(LONG_RUN)) {
    parts.push(text.slice(start, run.index + run[0].length))
    start = run.index + run[0].length
  }
  parts.push(text.slice(start))
  return parts
}

/** Decoding may end in half a character; only what both share was in the text. */
function sharedLength(text: string, decoded: string): number {
  let length = Math.min(text.length, decoded.length)
  while (length > 0 && text.charCodeAt(length - 1) !== decoded.charCodeAt(length - 1)) length--
  return length
}
