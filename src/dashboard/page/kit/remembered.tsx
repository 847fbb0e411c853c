/** Characters that show nothing or turn what is around them: they are named instead. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** Text from memory: data, whatever it says. Nothing in it is markup, and nothing in it is invisible. */
export function Remembered({ text, marks = [] }: { text: string; marks?: readonly string[] | undefined }) {
  return (
    <span class="remembered">
      {withMarks(text, marks).map(([part, marked], index) => drawn(part, marked, index))}
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

/** Cut at the words to be marked, in any case, longest first. */
function withMarks(text: string, words: readonly string[]): [string, boolean][] {
  const wanted = [...new Set(words.filter(Boolean))].sort((a, b) => b.length - a.length)
  if (wanted.length === 0) return [[text, false]]
  const pattern = new RegExp(
    `(${wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`,
    'giu',
  )
  return text.split(pattern).map((part, index) => [part, index % 2 === 1])
}
