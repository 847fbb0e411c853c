/** What a cut text ends with. In a text of several lines it must be seen; one line of a list has no room for it. */
export const MARK = ' [truncated]'
/** Longest grapheme cluster we look back over; family emoji with skin tones stay well below. */
const LONGEST_CHARACTER = 64

/** Made when the first text is cut: it costs more than everything else a short command does. */
let graphemes: Intl.Segmenter | undefined

/** Cuts to at most `max` UTF-16 units including a visible mark, never inside a character as a person sees it. */
export function truncate(text: string, max: number): string {
  return cut(text, max, MARK)
}

/** The same for a line among others: it ends in "…". */
export function shorten(line: string, max: number): string {
  return cut(line, max, '…')
}

/** Whatever line breaks it had: one line, shortened. */
export function oneLine(text: string, max: number): string {
  return shorten(text.replace(/\s+/g, ' ').trim(), max)
}

function cut(text: string, max: number, mark: string): string {
  if (text.length <= max) return text
  if (max <= mark.length) return text.slice(0, characterStart(text, max))
  return text.slice(0, characterStart(text, max - mark.length)).trimEnd() + mark
}

/** The last position at or before `position` where a character begins. */
function characterStart(text: string, position: number): number {
  // Of plain letters each is a character: no need to ask.
  if (/^[ -~]{2}$/.test(text.slice(position - 1, position + 1))) return position
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const from = Math.max(0, position - LONGEST_CHARACTER)
  let start = from
  for (const { index } of graphemes.segment(text.slice(from, position + LONGEST_CHARACTER))) {
    if (from + index > position) break
    start = from + index
  }
  return start
}
