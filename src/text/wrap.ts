import { displayWidth, withoutCodes } from './display-width.ts'

/** A command in backticks is one word: it is copied. */
const WORD = /(?<! )( *)(`[^`\n]{1,60}`\S*|\S+)/g

/** Broken between words so that no line is wider; a word that is wider by itself stays whole: paths are copied. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const [, gap, word] of text.matchAll(WORD)) {
    const wide = displayWidth(word!)
    if (line.trim() !== '' && used + gap!.length + wide > width) {
      lines.push(line)
      line = indent + word
      used = indent.length + wide
    } else {
      line += gap! + word
      used += gap!.length + wide
    }
  }
  return [...lines, line].join('\n')
}

/** What somebody copies and runs: broken, it would be something else. */
const COMMAND = /^\s*(?:→ )?(?:\$ )?(?:ralph|npx|npm|pnpm|claude) /
const DIFF_STARTS = /^(?:diff |@@ )/
const DIFF_GOES_ON = /^(?:[ +\-\\]|index |new file |deleted file |similarity |rename |$)/
/** A mark and a label, or one of them, at the start of a line. */
const LABEL = /^ *(?:[-•→✓✗!?>|│] )?(?:\S{1,14} {2,})?/u

/** Every line of a text no wider; what follows stands below the words, behind a label. Commands and diffs stay whole. */
export function wrapLines(text: string, width: number): string {
  let inDiff = false
  return text
    .split('\n')
    .map((line) => {
      const plain = withoutCodes(line)
      inDiff = DIFF_STARTS.test(plain) || (inDiff && DIFF_GOES_ON.test(plain))
      if (inDiff || displayWidth(line) <= width || COMMAND.test(plain)) return line
      const label = LABEL.exec(plain)?.[0] ?? ''
      const indent = ' '.repeat(Math.min(displayWidth(label), Math.floor(width / 2)))
      return wrap(line, width, indent)
    })
    .join('\n')
}
