import { lazy } from '../deferred.ts'

const PLAIN = /^[ -~]*$/
/** Colours, and the two ends of a link. */
const NO_TEXT = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g
const NO_ROOM = lazy(() => /[\p{Mn}\p{Me}\p{Cf}]/u)
const TWO_COLUMNS = lazy(
  () =>
    /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u,
)

/** The text alone, without colours and links. */
export function withoutCodes(text: string): string {
  return text.replace(NO_TEXT, '')
}

/** How many columns of a terminal a text takes; colours take none. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const character of withoutCodes(text)) {
    if (character < '\u0300') width++
    else if (!NO_ROOM().test(character)) width += TWO_COLUMNS().test(character) ? 2 : 1
  }
  return width
}
