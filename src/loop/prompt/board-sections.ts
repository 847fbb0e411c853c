import type { Discipline } from '../../board/discipline.ts'
import type { Feature } from '../../board/feature.ts'
import { TASK_CAPS, type Task } from '../../board/task.ts'
import { closed, quoted, quotedLines } from '../../text/quote.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import { type PromptSection, type Steps, usefulSteps, without } from './assemble.ts'

/** In tokens. The feature's core has 500 to 1,500; less only in a budget that is too small for anything else. */
const FEATURE: Steps = [
  [1_500, 50],
  [1_000, 55],
  [500, 91],
  [200, 93],
  [0, 100],
]
const DISCIPLINE: Steps = [
  [1_500, 60],
  [800, 62],
  [400, 88],
  [150, 92],
  [0, 100],
]
const TASK: Steps = [
  [2_500, 82],
  [1_500, 87],
  [800, 94],
  [300, 100],
]
const SHOWN_COMMENTS = 8
const LONGEST_NAME = 100
const LONGEST_ENTRY = 800

/** HOW the work is done. */
export function disciplineSection(discipline: Discipline | undefined, tokenizer: Tokenizer): PromptSection {
  const parts = discipline
    ? [
        prose(undefined, discipline.systemPrompt),
        prose('Conventions', discipline.conventions),
        list('Skills to use', discipline.skills),
      ]
    : []
  const title = `## How to work: ${quoted(discipline?.displayName ?? discipline?.name ?? '', LONGEST_NAME)}`
  return sized('discipline', title, parts, DISCIPLINE, tokenizer)
}

/** WHAT is built: the frame the task stands in. */
export function featureSection(
  feature: Feature | undefined,
  currentState: string,
  tokenizer: Tokenizer,
): PromptSection {
  const parts = feature
    ? [
        prose(undefined, feature.description),
        { heading: 'Current state', body: currentState },
        prose('Boundaries', feature.boundaries),
        prose('Architecture', feature.architecture),
        list('Dependencies', feature.dependencies),
      ]
    : []
  const title = `## The feature: ${quoted(feature?.displayName ?? feature?.name ?? '', LONGEST_NAME)}`
  return sized('feature', title, parts, FEATURE, tokenizer)
}

/** `comments`: those that no other section shows. */
export function taskSection(task: Task, comments: Task['comments'], tokenizer: Tokenizer): PromptSection {
  const parts = [
    prose(undefined, task.description),
    list('It is done when', task.acceptanceCriteria),
    lines(
      'Comments on it',
      comments.slice(-SHOWN_COMMENTS).map((comment) => commentLine(comment)),
    ),
  ]
  const title = `## Your task: ${task.id}, ${quoted(task.title, TASK_CAPS.title)}`
  const section = sized('task', title, parts, TASK, tokenizer)
  // A task without any text is still a task.
  return {
    ...section,
    sizes: section.sizes.map((size) => (size.text === '' ? { ...size, text: title } : size)),
  }
}

/** One line, with when it was said and by whom, as the one says who wrote it. */
export function commentLine(
  { author, text, created }: Task['comments'][number],
  most: number = LONGEST_ENTRY,
  change?: (line: string) => string,
): string {
  const date = /^\d{4}-\d\d-\d\d/.exec(created ?? '')?.[0]
  const who = [...(author ? [`by ${quoted(author, LONGEST_NAME)}`] : []), ...(date ? [date] : [])].join(', ')
  return `${quoted(text, most, change)}${who && ` (${who})`}`
}

interface Part {
  heading: string | undefined
  body: string
}

function prose(heading: string | undefined, text: string | undefined): Part {
  return { heading, body: quotedLines(text ?? '') }
}

function list(heading: string, entries: readonly string[]): Part {
  return lines(
    heading,
    entries.map((entry) => quoted(entry, LONGEST_ENTRY)),
  )
}

function lines(heading: string, entries: readonly string[]): Part {
  return { heading, body: entries.map((entry) => `- ${entry}`).join('\n') }
}

function sized(
  name: string,
  title: string,
  parts: readonly Part[],
  steps: Steps,
  tokenizer: Tokenizer,
): PromptSection {
  const present = parts.filter(({ body }) => body !== '')
  if (present.length === 0) return without(name)
  const counts = present.map(({ body }) => tokenizer.count(body))
  const whole = counts.reduce((sum, count) => sum + count, 0)
  const frame = frameTokens(title, present, tokenizer)
  const sizes = usefulSteps(steps, whole + frame).map(([limit, worth]) => {
    if (limit === 0) return { text: '', worth, leftOut: [`${name}: all of it (budget)`] }
    return { worth, ...cutTo(name, title, present, counts, limit - frame, tokenizer) }
  })
  return { name, sizes }
}

/** What title and headings take, with the line feeds around them. */
function frameTokens(title: string, parts: readonly Part[], tokenizer: Tokenizer): number {
  return tokenizer.count([title, ...parts.map(({ heading }) => heading ?? '')].join('\n')) + parts.length * 3
}

/** Every part gives up the same share, so that none disappears. */
function cutTo(
  name: string,
  title: string,
  parts: readonly Part[],
  counts: readonly number[],
  room: number,
  tokenizer: Tokenizer,
): { text: string; leftOut: string[] } {
  const whole = counts.reduce((sum, count) => sum + count, 0)
  const fits = whole <= room
  const blocks = parts.map(({ heading, body }, index) => {
    const share = Math.floor((counts[index]! / whole) * room)
    const shown = fits ? body : closed(tokenizer.truncate(body, share - 1))
    return heading ? `${heading}:${/^[->]/.test(shown) ? '\n' : ' '}${shown}` : shown
  })
  return {
    text: [title, ...blocks].join('\n\n'),
    leftOut: fits ? [] : [`${name}: ${whole - room} of ${whole} tokens`],
  }
}
