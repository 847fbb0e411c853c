/** Characters that show nothing or turn what is around them: they are named instead. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** A stretch of a text, in UTF-16 units; its end is not part of it. */
type Mark = readonly [from: number, to: number]

/**
 * Text from memory: data, whatever it says. Nothing in it is markup, and nothing in it is invisible. What is to be marked
 * is given by its place, or as words that are marked wherever they stand.
 */
export function Remembered({
  text,
  marks = [],
}: {
  text: string
  marks?: readonly Mark[] | readonly string[] | undefined
}) {
  return (
    <span class="remembered">
      {withMarks(
        text,
        marks.flatMap((mark) => (typeof mark === 'string' ? placesOf(mark, text) : [mark])),
      ).map(([part, marked], index) => drawn(part, marked, index))}
    </span>
  )
}

function drawn(part: string, marked: boolean, index: number) {
  const visible = named(part)
  return marked ? <mark key={index}>{visible}</mark> : visible
}

/** "a‮b" → a, <U+202E>, b. */
function named(text: string) {
  const parts: (string | preact.JSX.Element)[] = []
  let from = 0
  for (const match of text.matchAll(UNSEEN)) {
    parts.push(text.slice(from, match.index))
    const code = match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    parts.push(
      <abbr class="unseen" title={`an invisible character, U+${code}`}>
        U+{code}
      </abbr>,
    )
    from = match.index + match[0].length
  }
  parts.push(text.slice(from))
  return parts
}

/** In any case. */
function placesOf(word: string, text: string): Mark[] {
  if (word === '') return []
  const pattern = new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu')
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length])
}

/** Cut where marks begin and end; of two that overlap the first, of two that begin together the longer. */
function withMarks(text: string, marks: readonly Mark[]): [string, boolean][] {
  const parts: [string, boolean][] = []
  let at = 0
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (from < at || to > text.length) continue
    parts.push([text.slice(at, from), false], [text.slice(from, to), true])
    at = to
  }
  return [...parts, [text.slice(at), false]]
}
