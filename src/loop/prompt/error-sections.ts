import type { LedgerEntry, Solution } from '../../feature-memory/ledger/ledger.ts'
import { asData } from '../../text/sanitise.ts'
import { shorten } from '../../text/truncate.ts'
import type { Section, Steps } from './assemble.ts'
import type { ErrorBook } from './error-book.ts'
import { type Line, listed } from './listed-section.ts'

const OWN: Steps = [
  [8, 74],
  [5, 78],
  [3, 84],
  [1, 95],
  [0, 100],
]
const RELATED: Steps = [
  [5, 60],
  [3, 66],
  [1, 76],
  [0, 100],
]
const MESSAGE_CHARACTERS = 240
const SOLUTION_CHARACTERS = 240
const MOST_FILES = 5
const SHOWN_ITERATIONS = 4

export interface ErrorSection {
  name: string
  title: string
  entries: readonly LedgerEntry[]
  book: ErrorBook
  /** The run whose words stand in the prompt already. */
  told?: number | undefined
}

export function ownErrorSection(spec: Omit<ErrorSection, 'name' | 'title'>): Section {
  return errorSection({ ...spec, name: 'errors of the task', title: '## Errors met on this task' }, OWN)
}

export function relatedErrorSection(spec: Omit<ErrorSection, 'name' | 'title'>): Section {
  const title = '## Errors met on other tasks, around the same files or words'
  return errorSection({ ...spec, name: 'related errors', title }, RELATED)
}

/** Each error with its life: how often, whether it is still there, what made it go away. */
export function errorSection({ name, title, entries, book, told }: ErrorSection, steps: Steps): Section {
  return listed({ name, title, lines: entries.map((entry) => errorLine(entry, book, told)), steps })
}

function errorLine(entry: LedgerEntry, book: ErrorBook, told: number | undefined): Line {
  const { message, id, life } = entry
  const what = shorten(asData(message), MESSAGE_CHARACTERS)
  const text = `- [${book.nameOf(entry)}] ${what}${placeOf(entry)}: ${lifeOf(entry, book, told)}`
  return { text, item: { kind: 'error', source: `error ${id}`, why: life.replaceAll('_', ' '), text } }
}

function placeOf({ message, filePath, line }: LedgerEntry): string {
  if (!filePath || message.includes(filePath)) return ''
  return ` (${asData(filePath)}${line ? `:${line}` : ''})`
}

function lifeOf(entry: LedgerEntry, book: ErrorBook, told: number | undefined): string {
  const solution = entry.solutions.at(-1)
  const seen = seenIn(entry)
  const check = entry.check ? ` by \`${asData(entry.check.command)}\`` : ''
  switch (entry.life) {
    case 'open':
      return `open, reported${check} in ${seen}`
    case 'came_back': {
      const back = solution?.cameBackIn ?? entry.sightings.at(-1)?.iteration
      const held = solution ? `; before, ${solutionWords(solution, book, told)}` : ''
      return `back in iteration ${back}, reported${check}${held}`
    }
    case 'solved':
      return solution ? solutionWords(solution, book, told) : `met in ${seen}`
    case 'not_seen_since':
      return `met in ${seen}, not reported since`
  }
}

function seenIn({ sightings, times }: LedgerEntry): string {
  const numbers = [...new Set(sightings.map(({ iteration }) => iteration))]
  const newest = numbers.slice(-SHOWN_ITERATIONS)
  if (times <= newest.length) return `iteration${newest.length > 1 ? 's' : ''} ${newest.join(', ')}`
  return `${times} iterations, the latest ${newest.join(', ')}`
}

/** That it is solved is shown by a check; who did it only where the journal shows it. */
function solutionWords(
  { iteration, check, by }: Solution,
  book: ErrorBook,
  told: number | undefined,
): string {
  const evidence = `\`${asData(check)}\``
  if (!by) return `solved: ${evidence} no longer reported it in iteration ${iteration}`
  const words = by.iteration === told ? '' : book.elide(asData(by.decisions[0] ?? by.summary))
  const unnamed = by.files.filter((file) => !words.includes(file)).slice(0, MOST_FILES)
  const files =
    unnamed.length > 0 && by.iteration !== told ? ` by changing ${unnamed.map(asData).join(', ')}` : ''
  const quoted = words === '' ? '' : `: ${shorten(words, SOLUTION_CHARACTERS)}`
  return `solved in iteration ${by.iteration}${files}${quoted}`
}
