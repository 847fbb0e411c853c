import { lazy } from '../deferred.ts'

/** Terminal control sequences: colours, cursor moves, titles, hyperlinks. */
const TERMINAL_CODE =
  /\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]{0,4}[0-~]/g

/** Most texts hold nothing but letters of ASCII, spaces and plain line breaks. */
const MORE_THAN_PLAIN = /[^\t\n -~]/

const LINE_BREAK = /\r\n?|[\v\f\x85\u2028\u2029]/g

/**
 * Characters nobody sees: they split words that a filter looks for, reorder what a person reads, or carry whole texts
 * (tag characters, runs of variation selectors) that only a model reads.
 */
const HIDDEN = lazy(
  () =>
    new RegExp(
      [
        String.raw`[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad]`, // control characters, soft hyphen
        String.raw`[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0]`, // joiners and fillers
        String.raw`[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb]`, // zero width, bidirectional controls
        String.raw`[\ufe00-\ufe0f\u{e0000}-\u{e0fff}]`, // variation selectors, tags
        String.raw`[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]`, // controls of shorthand and of musical notation
        String.raw`[\p{Noncharacter_Code_Point}]`,
      ].join('|'),
      'gu',
    ),
)

const ZERO_WIDTH_NON_JOINER = '\u200c'
const ZERO_WIDTH_JOINER = '\u200d'
const EMOJI_STYLE = '\ufe0f'
/** Few texts hold such characters, and what knows all pictures or scripts takes long to make. */
const PICTURE = lazy(() => /\p{Extended_Pictographic}$/u)
const PICTURE_OR_KEYCAP = lazy(() => /[\p{Extended_Pictographic}0-9#*]$/u)
const PICTURE_WITH_STYLE = lazy(() => /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?$/u)
/** Scripts in which the joiners change how a word is written. */
const JOINING_SCRIPT = lazy(
  () =>
    /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/u,
)

export interface Revealed {
  text: string
  terminalCodes: number
  hidden: number
}

/** Removes what cannot be seen, so that a person, a filter and a model read the same text. */
export function removeHidden(original: string): Revealed {
  if (!MORE_THAN_PLAIN.test(original)) return { text: original, terminalCodes: 0, hidden: 0 }
  let terminalCodes = 0
  let hidden = 0
  const plain = original
    .toWellFormed()
    .replace(TERMINAL_CODE, () => {
      terminalCodes++
      return ''
    })
    .replace(LINE_BREAK, '\n')
  const text = plain.replace(HIDDEN(), (character, offset: number) => {
    if (belongs(character, plain, offset)) return character
    hidden++
    return ''
  })
  return { text, terminalCodes, hidden }
}

/** The few places where such a character is part of good writing: emoji, and scripts that join letters. */
function belongs(character: string, text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 4), offset)
  const after = text.codePointAt(offset + character.length)
  const next = after === undefined ? '' : String.fromCodePoint(after)
  switch (character) {
    case EMOJI_STYLE:
      return PICTURE_OR_KEYCAP().test(before)
    case ZERO_WIDTH_JOINER:
      if (PICTURE_WITH_STYLE().test(before) && PICTURE().test(next)) return true
      return JOINING_SCRIPT().test(before) && JOINING_SCRIPT().test(next)
    case ZERO_WIDTH_NON_JOINER:
      return JOINING_SCRIPT().test(before) && JOINING_SCRIPT().test(next)
    default:
      return false
  }
}
