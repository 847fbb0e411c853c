import type { LedgerEntry, Solution } from '../../feature-memory/ledger/ledger.ts'
import type { ErrorBook } from '../../telling/error-book.ts'
import { subjectOfError } from '../../telling/piece-subject.ts'
import { nameOrQuoted, quoted } from '../../text/quote.ts'
import type { PromptSection, Steps } from './assemble.ts'
import { listed, type SectionLine } from './listed-section.ts'

const OPEN: Steps = [
  [5, 78],
  [3, 84],
  [1, 95],
  [0, 100],
]
const NEARBY: Steps = [
  [5, 60],
  [3, 66],
  [1, 76],
  [0, 100],
]
const MESSAGE_CHARACTERS = 200
const SOLUTION_CHARACTERS = 240
const TITLE_CHARACTERS = 120
const LONGEST_COMMAND = 60
const MOST_FILES = 5
const SHOWN_ITERATIONS = 4

/** What the prompt says elsewhere, so that it is not said again. */
export interface Told {
  book: ErrorBook
  /** The task the prompt is for. */
  taskId?: number | undefined
  /** The run that the hand-over tells of. */
  run?: number | undefined
  /** All runs whose own words stand in the prompt. */
  runs: ReadonlySet<number>
}

/** What is still in the way. */
export function openErrorSection(entries: readonly LedgerEntry[], told: Told): PromptSection {
  return listed({
    name: 'open errors',
    title: '## Open errors',
    lines: entries.map((entry, index) => {
      const facts = reportOf(entry, told)
      const repeated = index > 0 && facts !== '' && facts === reportOf(entries[index - 1]!, told)
      return errorLine(entry, repeated ? 'the same' : facts, told)
    }),
    steps: OPEN,
  })
}

/** What was met around here and is gone, with what made it go away, or is there on other tasks. */
export function nearbyErrorSection(entries: readonly LedgerEntry[], told: Told): PromptSection {
  return errorSection(
    { name: 'errors nearby', title: '## Errors met before around this', entries, told },
    NEARBY,
  )
}

export function errorSection(
  spec: { name: string; title: string; entries: readonly LedgerEntry[]; told: Told },
  steps: Steps,
): PromptSection {
  const { name, title, entries, told } = spec
  const lines = entries.map((entry) => errorLine(entry, lifeOf(entry, told), told))
  return listed({ name, title, lines, steps })
}

function errorLine(entry: LedgerEntry, facts: string, { book }: Told): SectionLine {
  const { message, id, life } = entry
  const name = book.usedNameOf(entry)
  const what = quoted(message, MESSAGE_CHARACTERS)
  const text = `- ${name ? `[${name}] ` : ''}${what}${placeOf(entry)}${facts === '' ? '' : `; ${facts}`}`
  const why = life.replaceAll('_', ' ')
  return { text, item: { kind: 'error', source: `error ${id}`, why, text, about: subjectOfError(entry) } }
}

function placeOf({ message, filePath, line }: LedgerEntry): string {
  if (!filePath || message.includes(filePath)) return ''
  return ` (${nameOrQuoted(filePath)}${line ? `:${line}` : ''})`
}

function lifeOf(entry: LedgerEntry, told: Told): string {
  const solution = entry.solutions.at(-1)
  const last = entry.sightings.at(-1)
  switch (entry.life) {
    case 'open':
    case 'came_back': {
      const elsewhere = last && last.taskId !== told.taskId && last.taskId > 0
      const on = elsewhere ? ` on task ${last.taskId} (${quoted(last.taskTitle, TITLE_CHARACTERS)})` : ''
      return `open${on}; ${reportOf(entry, told)}`
    }
    case 'solved':
      return solution ? solutionWords(solution, told) : seenIn(entry)
    case 'not_seen_since':
      return `${seenIn(entry)}, not reported since`
  }
}

/** By which command, in which runs, and, when it is back, what had solved it. */
function reportOf(entry: LedgerEntry, told: Told): string {
  const { command: line = '', kind } = entry.check ?? {}
  // Which compiler or linter it was, its own codes tell.
  const command = kind === 'typecheck' || kind === 'lint' ? '' : line
  const by = command !== '' && command.length <= LONGEST_COMMAND ? [quoted(command, LONGEST_COMMAND)] : []
  const solution = entry.solutions.at(-1)
  if (entry.life !== 'came_back' || !solution) return [...by, ...seenBefore(entry, told)].join(', ')
  const back = `back in iteration ${solution.cameBackIn ?? entry.sightings.at(-1)?.iteration}`
  return `${[...by, back].join(', ')}; before, ${solutionWords(solution, told)}`
}

/** That the run which was told of met it goes without saying. */
function seenBefore(entry: LedgerEntry, { run }: Told): string[] {
  return entry.times === 1 && entry.sightings[0]?.iteration === run ? [] : [seenIn(entry)]
}

function seenIn({ sightings, times }: LedgerEntry): string {
  const newest = [...new Set(sightings.map(({ iteration }) => iteration))].slice(-SHOWN_ITERATIONS)
  if (times > newest.length) return `${times} iterations, the latest ${newest.join(', ')}`
  return `iteration${newest.length > 1 ? 's' : ''} ${newest.join(', ')}`
}

/** That it is solved is shown by a check; who did it only where the journal shows it. */
function solutionWords({ iteration, check, by }: Solution, { book, run, runs }: Told): string {
  if (!by)
    return `solved: ${quoted(check, MESSAGE_CHARACTERS)} no longer reported it in iteration ${iteration}`
  // The hand-over says so.
  if (by.iteration === run) return ''
  if (runs.has(by.iteration)) return `solved in iteration ${by.iteration}`
  const words = quoted(by.decisions[0] ?? by.summary, SOLUTION_CHARACTERS, book.elide)
  const unnamed = by.files.filter((file) => !words.includes(file)).slice(0, MOST_FILES)
  const files =
    unnamed.length > 0 ? ` by changing ${unnamed.map((path) => nameOrQuoted(path)).join(', ')}` : ''
  return `solved in iteration ${by.iteration}${files}${words === '' ? '' : `: ${words}`}`
}
