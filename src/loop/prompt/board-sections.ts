import type { Discipline } from '../../board/discipline.ts'
import type { Feature } from '../../board/feature.ts'
import type { Task } from '../../board/task.ts'
import { asData, sanitise } from '../../text/sanitise.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { Section } from './assemble.ts'

const DISCIPLINE_TOKENS = [1_500, 800, 400]
/** Feature core: at most the first, never less than the last while it has that much to say. */
const FEATURE_TOKENS = [1_500, 1_000, 500]
const TASK_TOKENS = [2_500, 1_500, 800, 300]
const SHOWN_COMMENTS = 8

/** HOW the work is done. */
export function disciplineSection(discipline: Discipline | undefined, tokenizer: Tokenizer): Section {
  const parts = discipline
    ? [
        prose(undefined, discipline.systemPrompt),
        prose('Conventions', discipline.conventions),
        list('Skills to use', discipline.skills),
      ]
    : []
  const title = `## How to work: ${asData(discipline?.displayName ?? discipline?.name ?? '')}`
  return sized('discipline', 60, title, parts, DISCIPLINE_TOKENS, tokenizer)
}

/** WHAT is built: the frame the task stands in. */
export function featureSection(
  feature: Feature | undefined,
  currentState: string,
  tokenizer: Tokenizer,
): Section {
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
  return sized('feature', 50, title, parts, FEATURE_TOKENS, tokenizer)
}

export function taskSection(task: Task, tokenizer: Tokenizer): Section {
  const parts = [
    prose(undefined, task.description),
    list('It is done when', task.acceptanceCriteria),
    list('Comments on it', task.comments.slice(-SHOWN_COMMENTS).map(commentLine)),
  ]
  const title = `## Your task: ${task.id}, ${asData(task.title)}`
  const section = sized('task', 100, title, parts, TASK_TOKENS, tokenizer)
  // A task without any text is still a task.
  return {
    ...section,
    sizes: section.sizes.map((size) => (size.text === '' ? { ...size, text: title } : size)),
  }
}

function commentLine({ author, text, created }: Task['comments'][number]): string {
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
  worth: number,
  title: string,
  parts: readonly Part[],
  limits: readonly number[],
  tokenizer: Tokenizer,
): Section {
  const present = parts.filter(({ body }) => body !== '')
  if (present.length === 0) return { name, worth, sizes: [{ text: '' }] }
  const whole = present.reduce((sum, { body }) => sum + tokenizer.count(body), 0)
  const useful = limits.filter((limit, index) => index === 0 || limit < whole)
  return { name, worth, sizes: useful.map((limit) => cutTo(name, title, present, limit, tokenizer)) }
}

/** Every part gives up the same share, so that none disappears. */
function cutTo(name: string, title: string, parts: readonly Part[], limit: number, tokenizer: Tokenizer) {
  const frame =
    tokenizer.count([title, ...parts.map(({ heading }) => heading ?? '')].join('\n')) + parts.length * 3
  const room = limit - frame
  const counts = parts.map(({ body }) => tokenizer.count(body))
  const whole = counts.reduce((sum, count) => sum + count, 0)
  const fits = whole <= room
  const blocks = parts.map(({ heading, body }, index) => {
    const shown = fits ? body : tokenizer.truncate(body, Math.floor((counts[index]! / whole) * room))
    return heading ? `${heading}:\n${shown}` : shown
  })
  return {
    text: [title, ...blocks].join('\n\n'),
    leftOut: fits ? [] : [`${name}: ${whole - room} of ${whole} tokens (limit ${limit})`],
  }
}
