/**
 * The beginning and the end of a text, with a note of what is missing between, cut at line ends where one is near.
 * The result never shares memory with `text`: an engine keeps the whole of a string alive for a slice of it.
 */
export function excerpt(text: string, { head, tail }: { head: number; tail: number }): string {
  if (text.length <= head + tail) return text
  const beginning = text.slice(0, lineEndBefore(text, head))
  const end = text.slice(lineStartAfter(text, text.length - tail))
  const missing = text.length - beginning.length - end.length
  return detached(`${beginning}\n… [${missing} characters left out] …\n${end}`)
}

/** A copy that owns its memory. Half characters at the ends become the replacement character. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}

/** How far a cut may move to meet a line end. */
const LINE_SEARCH = 2_000

function lineEndBefore(text: string, position: number): number {
  const end = text.lastIndexOf('\n', position)
  return end > 0 && position - end < LINE_SEARCH ? end : position
}

function lineStartAfter(text: string, position: number): number {
  const end = text.indexOf('\n', position)
  return end !== -1 && end - position < LINE_SEARCH && end + 1 < text.length ? end + 1 : position
}
