/** What a cut text ends with. */
export const MARK = ' [truncated]'
/** Longest grapheme cluster we look back over; family emoji with skin tones stay well below. */
const LONGEST_CHARACTER = 64

/** Made when the first text is cut: it costs more than everything else a short command does. */
let graphemes: Intl.Segmenter | undefined

/** Cuts to at most `max` UTF-16 units including a visible mark, never inside a character as a person sees it. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  if (max <= MARK.length) return text.slice(0, characterStart(text, max))
  return text.slice(0, characterStart(text, max - MARK.length)).trimEnd() + MARK
}

/** The last position at or before `position` where a character begins. */
function characterStart(text: string, position: number): number {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const from = Math.max(0, position - LONGEST_CHARACTER)
  let start = from
  for (const { index } of graphemes.segment(text.slice(from, position + LONGEST_CHARACTER))) {
    if (from + index > position) break
    start = from + index
  }
  return start
}
