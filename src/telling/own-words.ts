import type { IterationRecord } from '../feature-memory/record.ts'
import { SENTENCE_END } from '../text/sentences.ts'

/** "Next:", "Left to do:", "## Remaining work" and the like, at the beginning of a line or a sentence. */
const LEFT_HEADING =
  /(?:^\s*|(?<=[.!?;)]\s{1,4}))(?:[-*+•]\s{1,4})?(?:#{1,6}\s{1,4})?(?:\*\*|__)?(?:next(?: steps?| up| run| iteration)?|left(?: to do| undone| over)?|what(?:'s|’s| is) left(?: to do)?|remaining(?: work| steps?| tasks?| items?)?|still (?:to do|open|missing|left|needed|failing)|to[- ]?do|not (?:yet )?(?:done|finished)(?: yet)?|open (?:points?|questions?|items?)|follow[- ]?ups?)(?:\*\*|__)?(?:\s{0,4}:\s{0,4}(?:\*\*|__)?|\s{0,4}$)/i
/** The same in a sentence of its own. */
const LEFT_SENTENCE =
  /\b(?:(?:is|are) (?:still )?left to do|still (?:to be done|needs? to be|has to be|have to be)|remains? to be|did(?: not|n't|n’t) get (?:to|around to)|next steps? (?:is|are|would be)|what(?:'s|’s| is) left (?:is|are)|(?:is|are) yet to be)\b/i
const LIST_LINE = /^\s*(?:[-*+•]|\d+[.)])\s+/
/** So much of what the service said tells that it is that. */
const SERVICE_WORDS = 40

/** Words the record made up itself when the agent had none: told elsewhere, from the facts. */
const COMPOSED = /^(?:The run (?:was|reached|ended|did|used)\b|Asked: )/
const CHANGED = /^(?:Created|Modified|Deleted) (.+?)\.?$/

/** What a run said about its work at its end, and, apart from it, what it said is left to do. */
export function ownWords(record: IterationRecord): { said: string; left: string } {
  const { said, left } = parted(withoutService(record))
  const title = `${record.taskTitle}: `
  return { said: withoutComposed(said.startsWith(title) ? said.slice(title.length) : said, record), left }
}

/** Where the service had the last word, the agent's own stand behind it. */
function withoutService({ summary, ending }: IterationRecord): string {
  if (ending.kind !== 'service_failed') return summary
  const [first = '', ...before] = summary.split(/\n{1,3}Before that: /)
  const words = ending.detail?.replace(/\s+/g, ' ').slice(0, SERVICE_WORDS)
  const isService = words !== undefined && words !== '' && first.replace(/\s+/g, ' ').startsWith(words)
  return isService || before.length > 0 ? before.join('\n') : summary
}

function parted(summary: string): { said: string; left: string } {
  const said: string[] = []
  const left: string[] = []
  let listing = false
  for (const line of summary.split('\n')) {
    const heading = LEFT_HEADING.exec(line)
    if (heading) {
      said.push(line.slice(0, heading.index))
      const rest = line.slice(heading.index + heading[0].length)
      left.push(rest)
      listing = true
    } else if (listing && (LIST_LINE.test(line) || (left.at(-1) === '' && line.trim() !== ''))) {
      left.push(line.replace(LIST_LINE, ''))
    } else if (!(listing && line.trim() === '')) {
      listing = false
      for (const sentence of line.split(SENTENCE_END))
        (LEFT_SENTENCE.test(sentence) ? left : said).push(sentence)
    }
  }
  return { said: joined(said), left: joined(left, '; ') }
}

function joined(parts: readonly string[], separator = ' '): string {
  const present = parts.map((part) => part.replace(/\s+/g, ' ').trim()).filter((part) => part !== '')
  return separator === ' '
    ? present.join(' ')
    : present
        .map((part, index) => (index < present.length - 1 ? part.replace(/[.;]$/, '') : part))
        .join(separator)
}

/** Ending and files are told from the facts; so is what the service said. */
function withoutComposed(text: string, { filesTouched, ending }: IterationRecord): string {
  const paths = filesTouched.map(({ path }) => path)
  const detail = ending.detail?.replace(/[.!]$/, '').toLowerCase()
  return text
    .split(SENTENCE_END)
    .filter((sentence) => {
      const plain = sentence.replace(/[.!]$/, '')
      if (COMPOSED.test(plain) || plain.toLowerCase() === detail) return false
      const names = CHANGED.exec(plain)?.[1]
        ?.replace(/ and \d+ more$/, '')
        .split(', ')
      return !names?.every((name) => paths.includes(name))
    })
    .join(' ')
    .trim()
}
