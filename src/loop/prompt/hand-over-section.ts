import { describeEnding, ranToItsEnd } from '../../feature-memory/ending-words.ts'
import type { TouchedFile } from '../../feature-memory/record.ts'
import { asData } from '../../text/sanitise.ts'
import { shorten } from '../../text/truncate.ts'
import type { HandOver } from '../hand-over.ts'
import { type PromptSection, without } from './assemble.ts'
import { commentLine } from './board-sections.ts'
import type { ErrorBook } from './error-book.ts'
import { alreadySays, decisionsBeyond } from './overlap.ts'

const NAME = 'hand-over'
const MOST_FILES = 12
const LEFT_CHARACTERS = 600
const COMMENT_CHARACTERS = 800
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
      items: [{ kind: 'hand_over', source, why, text: body }],
      ...(characters !== SIZES[0][0] && leftOut),
    }
  })
  return { name: NAME, sizes }
}

function bodyOf(handOver: HandOver, characters: number, book: ErrorBook): string {
  const { run, said, left, comment } = handOver
  const quoted = (text: string, most: number) => shorten(book.elide(asData(text)), most)
  const decided = decisionsBeyond(run, said).map(
    (text) => `${/^decided/i.test(text) ? '' : 'Decided: '}${quoted(text, 200)}`,
  )
  const newest = comment && commentLine(comment)
  const ending = endingOf(handOver)
  const lines = [
    `Iteration ${run.iterationNumber} ${ending}. ${changeWords(handOver, book)}`,
    ...(characters > 0 && !alreadySays(ending, said) ? [`It said: ${quoted(said, characters)}`] : []),
    ...(characters > 0 ? decided : []),
    ...(left !== '' && !(newest && alreadySays(newest, left))
      ? [`Left to do: ${quoted(left, LEFT_CHARACTERS)}`]
      : []),
    ...sinceLines(handOver),
    ...(newest ? [`Newest comment on the task: ${quoted(newest, COMMENT_CHARACTERS)}`] : []),
  ]
  return lines.join('\n')
}

function endingOf({ run, reopened, review }: HandOver): string {
  if (run.ending.kind !== 'done') return asData(describeEnding(run))
  if (!reopened) return 'finished it'
  const after = review ? `, after the review in iteration ${review.iterationNumber}` : ''
  return `called it finished; it was opened again since${after}`
}

function changeWords({ run, changed }: HandOver, book: ErrorBook): string {
  const words = fileWords(changed)
  if (words === '') return 'No file was changed.'
  if (!ranToItsEnd(run)) return `It had ${words}, perhaps only in part.`
  const solved = book.solvedBy(run.iterationNumber).map((name) => `[${name}]`)
  return `It ${words}${solved.length > 0 ? `; that solved ${solved.join(', ')}` : ''}.`
}

function fileWords(changed: readonly TouchedFile[]): string {
  const shown = changed.slice(0, MOST_FILES)
  const groups = (['modified', 'created', 'deleted'] as const).flatMap((action) => {
    const paths = shown.filter((file) => file.action === action).map(({ path }) => asData(path))
    return paths.length === 0 ? [] : [`${action === 'modified' ? 'changed' : action} ${paths.join(', ')}`]
  })
  const more = changed.length - shown.length
  return groups.join('; ') + (more > 0 ? ` and ${more} more` : '')
}

function sinceLines({ idle, since, changed }: HandOver): string[] {
  const [newest] = idle
  const number = newest?.iterationNumber
  const which =
    idle.length === 1
      ? `Iteration ${number}, after it,`
      : `${idle.length} later runs changed nothing; the last, iteration ${number},`
  const nothing = idle.length === 1 ? ' and changed nothing' : ''
  const idled = newest ? [`${which} ${asData(describeEnding(newest))}${nothing}.`] : []
  const changes = since.map(({ run, paths }) => {
    const task = run.kind === 'task' ? ` (task ${run.taskId}, ${asData(run.taskTitle)})` : ` (${run.kind})`
    const what =
      paths.length < changed.length
        ? paths.map(asData).join(', ')
        : paths.length === 1
          ? 'the same file'
          : 'the same files'
    return `Since then iteration ${run.iterationNumber}${task} changed ${what}.`
  })
  return [...idled, ...changes]
}
