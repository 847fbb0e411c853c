import type { IterationRecord } from '../../feature-memory/record.ts'
import { type ShownLearning, STALE_MARK } from '../../learnings/display.ts'
import { LEARNING_CAP } from '../../learnings/learning.ts'
import { describeEnding } from '../../telling/ending-words.ts'
import type { ErrorBook } from '../../telling/error-book.ts'
import { ownWords } from '../../telling/own-words.ts'
import { subjectOfRun } from '../../telling/piece-subject.ts'
import { quoted } from '../../text/quote.ts'
import { type PromptSection, type Steps, without } from './assemble.ts'
import { listed, type SectionLine } from './listed-section.ts'
import { decisionsBeyond } from './overlap.ts'
import type { KnowledgeBlock } from './prompt.ts'

const FEEDBACK: Steps = [
  [5, 96],
  [2, 97],
  [1, 100],
]
const UNDONE: Steps = [
  [5, 74],
  [2, 86],
  [0, 100],
]
const FAILURES: Steps = [
  [5, 72],
  [3, 80],
  [2, 85],
  [1, 90],
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
const SUMMARY_CHARACTERS = 400
const FEEDBACK_CHARACTERS = 800
const UNDONE_CHARACTERS = 200

/** A person's word on this very task outweighs everything that was only observed. */
export function feedbackSection(feedback: readonly string[]): PromptSection {
  return listed({
    name: 'feedback',
    title: '## A person sent earlier work on this task back',
    lines: feedback.map((words) => {
      const text = `- ${quoted(words, FEEDBACK_CHARACTERS)}`
      return {
        text,
        item: { kind: 'feedback', source: 'gate', why: 'a person rejected earlier work on this task', text },
      }
    }),
    steps: FEEDBACK,
  })
}

/** Told once, to the run that comes next: whoever reads it has not done it, but may be about to. */
export function undoneSection(last: IterationRecord | undefined): PromptSection {
  const { undone = [], iterationNumber } = last ?? {}
  const source = `iteration ${iterationNumber}`
  return listed({
    name: 'undone',
    title: `## Undone after the last run\n\nOther tasks, features, disciplines and settings are not for a run to change or close. Of iteration ${iterationNumber}:`,
    lines: undone.map((deed) => {
      const text = `- ${quoted(deed, UNDONE_CHARACTERS)}`
      return { text, item: { kind: 'undone', source, why: 'the loop put it back', text } }
    }),
    steps: UNDONE,
  })
}

/** What was tried on the task and did not do it. The run that the hand-over tells of is not among them. */
export function failureSection(attempts: readonly IterationRecord[], book: ErrorBook): PromptSection {
  return listed({
    name: 'failed attempts',
    title: '## Tried before on this task, without success',
    lines: attempts.map((record) => failureLine(record, book)),
    steps: FAILURES,
  })
}

function failureLine(record: IterationRecord, book: ErrorBook): SectionLine {
  const { said } = ownWords(record)
  const parts = [...decisionsBeyond(record, said), said]
    .filter((part) => part !== '')
    .map((part) => quoted(part, SUMMARY_CHARACTERS, book.elide))
  const text = `- Iteration ${record.iterationNumber}: ${parts.join(' ')}`
  return {
    text,
    item: {
      kind: 'failed_attempt',
      source: `iteration ${record.iterationNumber}`,
      why: `an earlier run on this task that ${describeEnding(record)}`,
      text,
      about: subjectOfRun(record),
    },
  }
}

/** A learning that says what the listed errors say is left out. */
export function learningSection(learnings: readonly ShownLearning[], book: ErrorBook): PromptSection {
  return listed({
    name: 'learnings',
    title:
      '## What earlier runs observed\n\nMay be outdated or wrong: verify before relying on it. Not reviewed unless it says so.',
    lines: learnings.filter(({ text }) => !book.repeats(text)).map(learningLine),
    steps: LEARNINGS,
  })
}

/** Whose word it is, and what is known of it. */
export function learningFacts({ source, iteration, reviewed, hitCount, remarks }: ShownLearning): string[] {
  return [
    `${source}${iteration === undefined ? '' : `, iteration ${iteration}`}`,
    ...(reviewed ? ['reviewed'] : []),
    ...(hitCount > 1 ? [`seen ${hitCount} times`] : []),
    ...remarks,
  ]
}

function learningLine(learning: ShownLearning): SectionLine {
  const { id, text, remarks } = learning
  const facts = learningFacts(learning).filter((fact) => fact !== STALE_MARK)
  const shown = `- ${remarks.includes(STALE_MARK) ? `${STALE_MARK} ` : ''}${quoted(text, LEARNING_CAP)} (${facts.join('; ')})`
  return {
    text: shown,
    item: { kind: 'learning', source: `learning ${id}`, why: facts.join('; '), text: shown },
  }
}

/** The block comes framed by its own memory; it is shown whole or not at all. */
export function patternSection(knowledge: KnowledgeBlock | undefined, book: ErrorBook): PromptSection {
  const name = 'knowledge patterns'
  if (!knowledge) return without(name)
  const { items } = knowledge
  // Only between quotation marks: the rest is the frame.
  const text = knowledge.text.replace(/"([^"\n]*)"/g, (_, words) => `"${book.elide(words)}"`)
  return {
    name,
    sizes: [
      { text, items, worth: PATTERNS_WORTH },
      { text: '', worth: 100, leftOut: [`${name}: ${items.length} from other projects (budget)`] },
    ],
  }
}
