import type { IterationRecord } from '../../feature-memory/record.ts'
import type { ShownLearning } from '../../learnings/display.ts'
import { asData } from '../../text/sanitise.ts'
import { truncate } from '../../text/truncate.ts'
import type { RepeatedError } from '../history.ts'
import { type Section, type Steps, without } from './assemble.ts'
import { type Line, listed } from './listed-section.ts'
import type { KnowledgeBlock } from './prompt.ts'

const FEEDBACK: Steps = [
  [5, 96],
  [2, 97],
  [1, 100],
]
const FAILURES: Steps = [
  [5, 72],
  [3, 80],
  [2, 85],
  [1, 90],
  [0, 100],
]
const REPEATED_ERRORS: Steps = [
  [5, 70],
  [3, 75],
  [1, 86],
  [0, 100],
]
const LEARNINGS: Steps = [
  [10, 38],
  [7, 40],
  [5, 42],
  [3, 44],
  [0, 100],
]
const PATTERNS_WORTH = 46
/** As learnings mark what nobody has seen or reviewed for long. */
const STALE = '[STALE]'
const SUMMARY_CHARACTERS = 400
const ERROR_CHARACTERS = 240
const FEEDBACK_CHARACTERS = 800
const ERRORS_PER_FAILURE = 3

/** A person's word on this very task outweighs everything that was only observed. */
export function feedbackSection(feedback: readonly string[]): Section {
  return listed({
    name: 'feedback',
    title: '## A person sent earlier work on this task back',
    lines: feedback.map((text) => ({
      text: `- ${brief(text, FEEDBACK_CHARACTERS)}`,
      item: { kind: 'feedback', source: 'gate', why: 'a person rejected earlier work on this task', text },
    })),
    steps: FEEDBACK,
  })
}

export function failureSection(attempts: readonly IterationRecord[]): Section {
  return listed({
    name: 'failed attempts',
    title:
      '## Failed attempts at this task\n\nThese were tried before you and did not work. Do not repeat them; look for what they missed.',
    lines: attempts.map(failureLine),
    steps: FAILURES,
  })
}

function failureLine(record: IterationRecord): Line {
  const errors = record.errors.slice(0, ERRORS_PER_FAILURE).map((error) => {
    const line = error.line ? `:${error.line}` : ''
    return `\n  - error: ${brief(error.message, ERROR_CHARACTERS)}${place(error.filePath, line)}`
  })
  const decisions = record.decisions
    .slice(0, 2)
    .map(({ description }) => `\n  - tried: ${brief(description, ERROR_CHARACTERS)}`)
  const text = `- Iteration ${record.iterationNumber} (${record.outcome}): ${brief(record.summary, SUMMARY_CHARACTERS)}`
  return {
    text: [text, ...decisions, ...errors].join(''),
    item: {
      kind: 'failed_attempt',
      source: `iteration ${record.iterationNumber}`,
      why: `an attempt at this task that ended in ${record.outcome}`,
      text: [record.summary, ...record.errors.map((error) => error.message)].join('\n'),
    },
  }
}

export function repeatedErrorSection(errors: readonly RepeatedError[]): Section {
  return listed({
    name: 'repeated errors',
    title: '## Errors that keep coming back',
    lines: errors.map(repeatedErrorLine),
    steps: REPEATED_ERRORS,
  })
}

function repeatedErrorLine({ message, filePath, iterations }: RepeatedError): Line {
  const times = iterations.length
  const which = [...iterations].slice(0, 5).reverse().join(', ')
  return {
    text: `- This error has occurred in ${times} previous iterations (${times > 5 ? '…, ' : ''}${which}): ${brief(message, ERROR_CHARACTERS)}${place(filePath)}`,
    item: {
      kind: 'repeated_error',
      source: `iteration ${iterations[0]}`,
      why: `the same error in ${times} iterations`,
      text: message,
    },
  }
}

export function learningSection(learnings: readonly ShownLearning[]): Section {
  return listed({
    name: 'learnings',
    title:
      '## What earlier iterations observed\n\nObservations, not rules. They may be outdated or wrong: verify before relying on them.',
    lines: learnings.map(learningLine),
    steps: LEARNINGS,
  })
}

function learningLine(learning: ShownLearning): Line {
  const { id, text, source, iteration, reviewed, hitCount, remarks } = learning
  const facts = [
    `${source}${iteration === undefined ? '' : `, iteration ${iteration}`}`,
    reviewed ? 'reviewed' : 'not reviewed',
    ...(hitCount > 1 ? [`seen ${hitCount} times`] : []),
    ...remarks.filter((remark) => remark !== STALE),
  ]
  return {
    text: `- ${remarks.includes(STALE) ? `${STALE} ` : ''}${text} [${facts.join('; ')}]`,
    item: { kind: 'learning', source: `learning ${id}`, why: facts.join('; '), text },
  }
}

/** The block comes framed by its own memory; it is shown whole or not at all. */
export function patternSection(knowledge: KnowledgeBlock | undefined): Section {
  const name = 'knowledge patterns'
  if (!knowledge) return without(name)
  const { text, items } = knowledge
  return {
    name,
    sizes: [
      { text, items, worth: PATTERNS_WORTH },
      { text: '', worth: 100, leftOut: [`${name}: ${items.length} from other projects (budget)`] },
    ],
  }
}

function place(path: string | undefined, line = ''): string {
  return path ? ` (${asData(path)}${line})` : ''
}

function brief(text: string, characters: number): string {
  return truncate(asData(text), characters)
}
