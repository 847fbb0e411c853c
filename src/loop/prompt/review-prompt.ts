import type { Feature } from '../../board/feature.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import type { ShownLearning } from '../../learnings/display.ts'
import { asData } from '../../text/sanitise.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import { truncate } from '../../text/truncate.ts'
import { LOOP_PROMPT_MARK } from '../../transcripts/loop-prompt.ts'
import type { RepeatedError } from '../history.ts'
import { assemble, type Prompt, type Section, type Steps } from './assemble.ts'
import { featureSection } from './board-sections.ts'
import { listed } from './listed-section.ts'
import { repeatedErrorSection } from './memory-sections.ts'

export interface ReviewBriefing {
  featureName: string
  feature?: Feature | undefined
  currentState: string
  /** The newest first. */
  recent: readonly IterationRecord[]
  repeatedErrors: readonly RepeatedError[]
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
const SUMMARY_CHARACTERS = 300
const ERROR_CHARACTERS = 120

/** The prompt for a review: not to build, but to look at what the last iterations did and put memory right. */
export function reviewPrompt(briefing: ReviewBriefing, budget: number, tokenizer: Tokenizer): Prompt {
  return assemble(
    [
      opening(briefing),
      featureSection(briefing.feature, briefing.currentState, tokenizer),
      recentSection(briefing.recent),
      repeatedErrorSection(briefing.repeatedErrors),
      learningReviewSection(briefing),
      closing(briefing),
    ],
    budget,
    tokenizer,
  )
}

function opening({ featureName }: ReviewBriefing): Section {
  const text = `${LOOP_PROMPT_MARK} a review of the feature "${asData(featureName)}". Nothing new is built: look at what the last runs did, whether it holds, and what the next ones should know.`
  return { name: 'introduction', sizes: [{ text, worth: 100 }] }
}

function recentSection(records: readonly IterationRecord[]): Section {
  return listed({
    name: 'recent iterations',
    title: '## The last iterations, the newest first',
    lines: records.map((record) => ({
      text: recentLine(record),
      item: {
        kind: 'iteration',
        source: `iteration ${record.iterationNumber}`,
        why: 'one of the last iterations',
        text: record.summary,
      },
    })),
    steps: RECENT,
  })
}

function recentLine({
  iterationNumber,
  outcome,
  taskId,
  taskTitle,
  summary,
  errors,
}: IterationRecord): string {
  const messages = asData(errors.map(({ message }) => truncate(message, ERROR_CHARACTERS)).join(' | '))
  const trouble = errors.length > 0 ? truncate(` Errors: ${messages}`, SUMMARY_CHARACTERS) : ''
  const what = truncate(asData(summary), SUMMARY_CHARACTERS)
  return `- Iteration ${iterationNumber} (${outcome}), task ${taskId} "${asData(taskTitle)}": ${what}${trouble}`
}

function learningReviewSection({ learnings, checkLearnings }: ReviewBriefing): Section {
  return listed({
    name: 'learnings',
    title: checkLearnings
      ? '## Learnings to check\n\nCheck each of them against the code as it is now. Remove what is wrong, merge what says the same, mark as reviewed what holds.'
      : '## What is noted about this feature\n\nObservations of earlier iterations; they may be outdated.',
    lines: learnings.map((learning) => ({
      text: learningLine(learning),
      item: {
        kind: 'learning',
        source: `learning ${learning.id}`,
        why: `to be reviewed, from ${learning.source}`,
        text: learning.text,
      },
    })),
    steps: LEARNINGS,
  })
}

function learningLine({
  id,
  text,
  source,
  iteration,
  reviewed,
  hitCount,
  remarks,
  reason,
}: ShownLearning): string {
  const facts = [
    source,
    ...(iteration === undefined ? [] : [`iteration ${iteration}`]),
    reviewed ? 'reviewed' : 'not reviewed',
    ...(hitCount > 1 ? [`seen ${hitCount} times`] : []),
    ...remarks,
    `because: ${reason}`,
  ]
  return `- ${id}: ${text} [${facts.join('; ')}]`
}

function closing({ checkLearnings, memoryTools, featureName }: ReviewBriefing): Section {
  const steps = [
    'Read the code that the last iterations touched, and run the checks.',
    ...(memoryTools
      ? [
          'Use `get_recent_iterations` and `search_feature_memory` for what is not shown here.',
          'Note with `append_feature_learning` what keeps going wrong and what would prevent it; say why you think so.',
        ]
      : []),
    ...(checkLearnings && memoryTools
      ? [
          'For every learning above: `review_feature_learning` if it holds, `remove_feature_learning` if it does not, both with its id; of two that say the same keep the better one.',
        ]
      : []),
    `If description, architecture or boundaries of "${asData(featureName)}" no longer match the code, correct them with \`update_feature\`. Never empty them.`,
    'If a task was called done and is not, set it back to `status: pending` in `.ralph/db/tasks.yaml` with a comment that says what is missing. Leave other features alone.',
    'End with a short summary of what you found.',
  ]
  const text = `## What to do\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`
  return { name: 'closing', sizes: [{ text, worth: 100 }] }
}
