import type { Discipline } from '../../board/discipline.ts'
import type { Feature } from '../../board/feature.ts'
import type { Task } from '../../board/task.ts'
import { asData, sanitise } from '../../text/sanitise.ts'
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

/** HOW the work is done. */
export function disciplineSection(discipline: Discipline | undefined, tokenizer: Tokenizer): PromptSection {
  const parts = discipline
    ? [
        prose(undefined, discipline.systemPrompt),
        prose('Conventions', discipline.conventions),
        list('Skills to use', discipline.skills),
      ]
    : []
  const title = `## How to work: ${asData(discipline?.displayName ?? discipline?.name ?? '')}`
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
        prose('Current state', currentState),
        prose('Boundaries', feature.boundaries),
        prose('Architecture', feature.architecture),
        list('Dependencies', feature.dependencies),
      ]
    : []
  const title = `## The feature: ${asData(feature?.displayName ?? feature?.name ?? '')}`
  return sized('feature', title, parts, FEATURE, tokenizer)
}

/** `comments`: those that no other section shows. */
export function taskSection(task: Task, comments: Task['comments'], tokenizer: Tokenizer): PromptSection {
  const parts = [
    prose(undefined, task.description),
    list('It is done when', task.acceptanceCriteria),
    list('Comments on it', comments.slice(-SHOWN_COMMENTS).map(commentLine)),
  ]
  const title = `## Your task: ${task.id}, ${asData(task.title)}`
  const section = sized('task', title, parts, TASK, tokenizer)
  // A task without any text is still a task.
  return {
    ...section,
    sizes: section.sizes.map((size) => (size.text === '' ? { ...size, text: title } : size)),
  }
}

/** One line, with who said it and when. */
export function commentLine({ author, text, created }: Task['comments'][number]): string {
  const who = [author, created?.slice(0, 10)].filter(Boolean).join(', ')
  return who ? `${asData(text)} (${asData(who)})` : asData(text)
}

interface Part {
  heading: string | undefined
  body: string
}

/** People's own words keep their lines; headings in them would pass for ours, so they are indented away. */
function prose(heading: string | undefined, text: string | undefined): Part {
  return {
    heading,
    body: sanitise(text ?? '')
      .trim()
      .replace(/^#/gm, ' #'),
  }
}

function list(heading: string, entries: readonly string[]): Part {
  return { heading, body: entries.map((entry) => `- ${asData(entry)}`).join('\n') }
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
    const shown = fits ? body : tokenizer.truncate(body, Math.floor((counts[index]! / whole) * room))
    return heading
      ? `${heading}:${shown.includes('\n') || shown.startsWith('-') ? '\n' : ' '}${shown}`
      : shown
  })
  return {
    text: [title, ...blocks].join('\n\n'),
    leftOut: fits ? [] : [`${name}: ${whole - room} of ${whole} tokens`],
  }
}
