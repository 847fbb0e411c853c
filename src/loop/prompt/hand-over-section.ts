import { ranToItsEnd } from '../../feature-memory/endings.ts'
import type { TouchedFile } from '../../feature-memory/record.ts'
import { describeEnding } from '../../telling/ending-words.ts'
import type { ErrorBook } from '../../telling/error-book.ts'
import { subjectOfRun } from '../../telling/piece-subject.ts'
import { nameOrQuoted, quoted } from '../../text/quote.ts'
import type { HandOver } from '../hand-over.ts'
import { type PromptSection, without } from './assemble.ts'
import { commentLine } from './board-sections.ts'
import { alreadySays, decisionsBeyond } from './overlap.ts'

const NAME = 'hand-over'
const MOST_FILES = 12
const LEFT_CHARACTERS = 600
const COMMENT_CHARACTERS = 800
const TITLE_CHARACTERS = 120
/** How much of its own words is shown, and what that is worth. */
const SIZES = [
  [500, 84],
  [150, 98],
  [0, 100],
] as const

/** Where the last run on the task left off: first among the memory parts, since the work goes on from there. */
export function handOverSection(handOver: HandOver | undefined, book: ErrorBook): PromptSection {
  if (!handOver) return without(NAME)
  const { run } = handOver
  const why = `the last run on this task ${describeEnding(run)}`
  const source = `iteration ${run.iterationNumber}`
  const sizes = SIZES.map(([characters, worth]) => {
    const body = bodyOf(handOver, characters, book)
    const leftOut = characters < run.summary.length ? { leftOut: [`${NAME}: some of its words`] } : {}
    return {
      worth,
      text: `## The last run on this task\n\n${body}`,
      items: [{ kind: 'hand_over', source, why, text: body, about: subjectOfRun(run) }],
      ...(characters !== SIZES[0][0] && leftOut),
    }
  })
  return { name: NAME, sizes }
}

function bodyOf(handOver: HandOver, characters: number, book: ErrorBook): string {
  const { run, said, left, comment } = handOver
  const cited = (text: string, most: number) => quoted(text, most, book.elide)
  const decided = decisionsBeyond(run, said).map((text) => `Decided: ${cited(text, 200)}`)
  const newest = comment && commentLine(comment, COMMENT_CHARACTERS, book.elide)
  const ending = endingOf(handOver)
  const lines = [
    `Iteration ${run.iterationNumber} ${ending}. ${changeWords(handOver, book)}`,
    ...(characters > 0 && !alreadySays(ending, said) ? [`It said: ${cited(said, characters)}`] : []),
    ...(characters > 0 ? decided : []),
    ...(left !== '' && !(newest && alreadySays(newest, left))
      ? [`Left to do: ${cited(left, LEFT_CHARACTERS)}`]
      : []),
    ...sinceLines(handOver),
    ...(newest ? [`Newest comment on the task: ${newest}`] : []),
  ]
  return lines.join('\n')
}

function endingOf({ run, reopened, review }: HandOver): string {
  if (run.ending.kind !== 'done') return describeEnding(run)
  if (!reopened) return 'finished it'
  const after = review ? `, after the review in iteration ${review.iterationNumber}` : ''
  return `called it finished; it was opened again since${after}`
}

function changeWords({ run, changed, begun }: HandOver, book: ErrorBook): string {
  const words = fileWords(changed)
  const open = begunWords(begun)
  if (words === '') return open === '' ? 'No file was changed.' : open
  if (!ranToItsEnd(run)) return [`It had ${words}, perhaps only in part.`, open].filter(Boolean).join(' ')
  const solved = book.solvedBy(run.iterationNumber).map((name) => `[${name}]`)
  return `It ${words}${solved.length > 0 ? `; that solved ${solved.join(', ')}` : ''}.`
}

function fileWords(changed: readonly TouchedFile[]): string {
  const shown = changed.slice(0, MOST_FILES)
  const groups = (['modified', 'created', 'deleted'] as const).flatMap((action) => {
    const paths = shown.filter((file) => file.action === action).map(({ path }) => nameOrQuoted(path))
    return paths.length === 0 ? [] : [`${action === 'modified' ? 'changed' : action} ${paths.join(', ')}`]
  })
  const more = changed.length - shown.length
  return groups.join('; ') + (more > 0 ? ` and ${more} more` : '')
}

function begunWords(begun: readonly string[]): string {
  const paths = begun.slice(0, MOST_FILES).map((path) => nameOrQuoted(path))
  return paths.length === 0
    ? ''
    : `It was just changing ${paths.join(', ')}; whether that was done is not known.`
}

function sinceLines({ idle, since, changed }: HandOver): string[] {
  const [newest] = idle
  const number = newest?.iterationNumber
  const which =
    idle.length === 1
      ? `Iteration ${number}, after it,`
      : `${idle.length} later runs changed nothing; the last, iteration ${number},`
  const nothing = idle.length === 1 ? ' and changed nothing' : ''
  const idled = newest ? [`${which} ${describeEnding(newest)}${nothing}.`] : []
  const changes = since.map(({ run, paths }) => {
    const task =
      run.kind === 'task'
        ? ` (task ${run.taskId}, ${quoted(run.taskTitle, TITLE_CHARACTERS)})`
        : ` (${run.kind})`
    const what =
      paths.length < changed.length
        ? paths.map((path) => nameOrQuoted(path)).join(', ')
        : paths.length === 1
          ? 'the same file'
          : 'the same files'
    return `Since then iteration ${run.iterationNumber}${task} changed ${what}.`
  })
  return [...idled, ...changes]
}
