import type { Feature } from '../../board/feature.ts'
import type { LedgerEntry } from '../../feature-memory/ledger/ledger.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import type { ShownLearning } from '../../learnings/display.ts'
import { LEARNING_CAP } from '../../learnings/learning.ts'
import { describeEnding } from '../../telling/ending-words.ts'
import { ErrorBook } from '../../telling/error-book.ts'
import { ownWords } from '../../telling/own-words.ts'
import { quoted } from '../../text/quote.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import { LOOP_PROMPT_MARK } from '../../transcripts/own-marks.ts'
import { assemblePrompt, type Prompt, type PromptSection, type Steps } from './assemble.ts'
import { featureSection } from './board-sections.ts'
import { errorSection } from './error-sections.ts'
import { listed } from './listed-section.ts'
import { learningFacts } from './memory-sections.ts'

export interface ReviewBriefing {
  featureName: string
  feature?: Feature | undefined
  currentState: string
  /** The newest first. */
  recent: readonly IterationRecord[]
  /** Those still there first. */
  errors: readonly LedgerEntry[]
  learnings: readonly ShownLearning[]
  /** Whether this review checks every learning against the code. */
  checkLearnings: boolean
  memoryTools: boolean
}

const RECENT: Steps = [
  [15, 60],
  [10, 70],
  [6, 80],
  [3, 100],
]
const LEARNINGS: Steps = [
  [50, 45],
  [30, 65],
  [15, 100],
]
const ERRORS: Steps = [
  [10, 62],
  [5, 72],
  [0, 100],
]
const SUMMARY_CHARACTERS = 300
const TITLE_CHARACTERS = 120

/** The prompt for a review: not to build, but to look at what the last iterations did and put memory right. */
export function reviewPrompt(briefing: ReviewBriefing, budget: number, tokenizer: Tokenizer): Prompt {
  const { feature, currentState, recent, errors: entries } = briefing
  const book = new ErrorBook(entries)
  const runs = recentSection(recent, book)
  const told = new Set(recent.map(({ iterationNumber }) => iterationNumber))
  const learnings = learningReviewSection(briefing, book)
  return assemblePrompt(
    [
      opening(briefing),
      featureSection(feature, currentState, tokenizer),
      runs,
      errorSection(
        { name: 'errors', title: '## Errors of the feature', entries, told: { book, runs: told } },
        ERRORS,
      ),
      learnings,
      closing(briefing),
    ],
    budget,
    tokenizer,
  )
}

function opening({ featureName }: ReviewBriefing): PromptSection {
  const text = `${LOOP_PROMPT_MARK} a review of the feature ${quoted(featureName, TITLE_CHARACTERS)}. Nothing new is built: look at what the last runs did, whether it holds, and what the next ones should know.`
  return { name: 'introduction', sizes: [{ text, worth: 100 }] }
}

function recentSection(records: readonly IterationRecord[], book: ErrorBook): PromptSection {
  return listed({
    name: 'recent iterations',
    title: '## The last runs, the newest first',
    lines: records.map((record) => {
      const text = recentLine(record, book)
      const source = `iteration ${record.iterationNumber}`
      return { text, item: { kind: 'iteration', source, why: 'one of the last runs', text } }
    }),
    steps: RECENT,
  })
}

function recentLine(record: IterationRecord, book: ErrorBook): string {
  const { iterationNumber, kind, taskId, taskTitle } = record
  const on = kind === 'task' ? `task ${taskId}, ${quoted(taskTitle, TITLE_CHARACTERS)}` : kind
  const { said, left } = ownWords(record)
  const words = quoted(said, SUMMARY_CHARACTERS, book.elide)
  const rest = left === '' ? '' : ` Left to do: ${quoted(left, SUMMARY_CHARACTERS, book.elide)}`
  return `- Iteration ${iterationNumber} (${on}) ${describeEnding(record)}. ${words}${rest}`.trimEnd()
}

function learningReviewSection(
  { learnings, checkLearnings }: ReviewBriefing,
  book: ErrorBook,
): PromptSection {
  return listed({
    name: 'learnings',
    title: checkLearnings
      ? '## Learnings to check against the code\n\nNot reviewed unless it says so.'
      : '## What earlier runs observed\n\nMay be outdated. Not reviewed unless it says so.',
    lines: learnings.map((learning) => {
      const text = reviewLine(learning, book)
      const why = `${checkLearnings ? 'to be reviewed' : 'noted'}, from ${learning.source}`
      return { text, item: { kind: 'learning', source: `learning ${learning.id}`, why, text } }
    }),
    steps: LEARNINGS,
  })
}

function reviewLine(learning: ShownLearning, { elide }: ErrorBook): string {
  const { id, text, reason } = learning
  const facts = [...learningFacts(learning), `because: ${quoted(reason, LEARNING_CAP, elide)}`]
  return `- ${id}: ${quoted(text, LEARNING_CAP, elide)} (${facts.join('; ')})`
}

function closing({ checkLearnings, memoryTools }: ReviewBriefing): PromptSection {
  const steps = [
    'Read the code that the last runs touched, and run the checks.',
    ...(memoryTools
      ? ['`append_feature_learning`: what keeps going wrong and what would prevent it, with the reason.']
      : []),
    ...(checkLearnings && memoryTools
      ? [
          'Each learning above, by its id: `review_feature_learning` if it holds, `remove_feature_learning` if not, `merge_feature_learnings` for those that say the same.',
        ]
      : []),
    ...(memoryTools
      ? ['`update_feature` where description, architecture or boundaries no longer match the code.']
      : []),
    'A task that was called done and is not: `status: pending` in `.ralph/db/tasks.yaml`, with a line under `comments` saying what is missing. Other features stay as they are.',
    'End with a short summary of what you found.',
  ]
  const text = `## What to do\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`
  return { name: 'closing', sizes: [{ text, worth: 100 }] }
}
