import type { ShownLearning } from '../../feature-memory/learnings/display.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import type { ReceiptItem } from '../../receipts/receipt.ts'
import { asData } from '../../text/sanitise.ts'
import { truncate } from '../../text/truncate.ts'
import type { RepeatedError } from '../history.ts'
import { type Section, shorterLists } from './assemble.ts'
import type { KnowledgeBlock } from './prompt.ts'

const FAILURES = [5, 3, 2, 1]
const REPEATED_ERRORS = [5, 3, 1]
const LEARNINGS = [10, 7, 5, 3, 0]
const SUMMARY_CHARACTERS = 400
const ERROR_CHARACTERS = 240
const FEEDBACK_CHARACTERS = 800
const ERRORS_PER_FAILURE = 3

interface Line {
  text: string
  item: ReceiptItem
}

/** A person's word on this very task outweighs everything that was only observed. */
export function feedbackSection(feedback: readonly string[]): Section {
  return listed({
    name: 'feedback',
    worth: 97,
    title: '## A person sent earlier work on this task back',
    lines: feedback.map((text) => ({
      text: `- ${brief(text, FEEDBACK_CHARACTERS)}`,
      item: { kind: 'feedback', source: 'gate', why: 'a person rejected earlier work on this task', text },
    })),
    lengths: [5, 2],
  })
}

export function failureSection(attempts: readonly IterationRecord[]): Section {
  return listed({
    name: 'failed attempts',
    worth: 90,
    title:
      '## Failed attempts at this task\n\nThese were tried before you and did not work. Do not repeat them; look for what they missed.',
    lines: attempts.map(failureLine),
    lengths: FAILURES,
  })
}

function failureLine(record: IterationRecord): Line {
  const errors = record.errors.slice(0, ERRORS_PER_FAILURE).map((error) => {
    const place = error.filePath ? ` (${error.filePath}${error.line ? `:${error.line}` : ''})` : ''
    return `\n  - error: ${brief(error.message, ERROR_CHARACTERS)}${asData(place)}`
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
    worth: 85,
    title: '## Errors that keep coming back',
    lines: errors.map(repeatedErrorLine),
    lengths: REPEATED_ERRORS,
  })
}

function repeatedErrorLine({ message, filePath, iterations }: RepeatedError): Line {
  const times = iterations.length
  const which = [...iterations].slice(0, 5).reverse().join(', ')
  const place = filePath ? ` (${filePath})` : ''
  return {
    text: `- This error has occurred in ${times} previous iterations (${times > 5 ? '…, ' : ''}${which}): ${brief(message, ERROR_CHARACTERS)}${asData(place)}`,
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
    worth: 40,
    title:
      '## What earlier iterations observed\n\nObservations, not rules. They may be outdated or wrong: verify before relying on them.',
    lines: learnings.map(learningLine),
    lengths: LEARNINGS,
  })
}

function learningLine(learning: ShownLearning): Line {
  const { id, text, source, iteration, reviewed, hitCount, remarks } = learning
  const facts = [
    `${source}${iteration === undefined ? '' : `, iteration ${iteration}`}`,
    reviewed ? 'reviewed' : 'not reviewed',
    ...(hitCount > 1 ? [`seen ${hitCount} times`] : []),
    ...remarks,
  ]
  return {
    text: `- ${text} [${facts.join('; ')}]`,
    item: { kind: 'learning', source: `learning ${id}`, why: facts.join('; '), text },
  }
}

/** The block comes framed by its own memory; it is shown whole or not at all. */
export function patternSection(knowledge: KnowledgeBlock | undefined): Section {
  const none = { text: '', leftOut: ['knowledge patterns from other projects (budget)'] }
  return {
    name: 'knowledge patterns',
    worth: 45,
    sizes: knowledge ? [{ text: knowledge.text, items: knowledge.items }, none] : [{ text: '' }],
  }
}

function listed(spec: {
  name: string
  worth: number
  title: string
  lines: readonly Line[]
  lengths: readonly number[]
}): Section {
  const { name, worth, title, lines, lengths } = spec
  if (lines.length === 0) return { name, worth, sizes: [{ text: '' }] }
  return {
    name,
    worth,
    sizes: shorterLists(lines, lengths).map((shown) => ({
      text: shown.length === 0 ? '' : `${title}\n\n${shown.map(({ text }) => text).join('\n')}`,
      items: shown.map(({ item }) => item),
      leftOut:
        shown.length < lines.length ? [`${name}: ${lines.length - shown.length} of ${lines.length}`] : [],
    })),
  }
}

function brief(text: string, characters: number): string {
  return truncate(asData(text), characters)
}
