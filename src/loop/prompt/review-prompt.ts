import type { Feature } from '../../board/feature.ts'
import type { ShownLearning } from '../../feature-memory/learnings/display.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import { asData } from '../../text/sanitise.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import { truncate } from '../../text/truncate.ts'
import type { RepeatedError } from '../history.ts'
import { assemble, type Prompt, type Section, shorterLists } from './assemble.ts'
import { featureSection } from './board-sections.ts'
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

const RECENT = [15, 10, 6, 3]
const LEARNINGS = [50, 30, 15]
const SUMMARY_CHARACTERS = 300

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
  const text = [
    `You review the feature "${asData(featureName)}". You build nothing new: you look at what the last iterations did, whether it holds, and what the next ones should know.`,
  ].join('\n')
  return { name: 'introduction', worth: 100, sizes: [{ text }] }
}

function recentSection(records: readonly IterationRecord[]): Section {
  const lines = records.map((record) => {
    const errors =
      record.errors.length > 0
        ? ` Errors: ${asData(record.errors.map(({ message }) => truncate(message, 120)).join(' | '))}`
        : ''
    return `- Iteration ${record.iterationNumber} (${record.outcome}), task ${record.taskId} "${asData(record.taskTitle)}": ${truncate(asData(record.summary), SUMMARY_CHARACTERS)}${truncate(errors, SUMMARY_CHARACTERS)}`
  })
  const title = '## The last iterations, the newest first'
  if (lines.length === 0) return { name: 'recent iterations', worth: 80, sizes: [{ text: '' }] }
  return {
    name: 'recent iterations',
    worth: 80,
    sizes: shorterLists(records, RECENT).map((shown) => ({
      text: `${title}\n\n${lines.slice(0, shown.length).join('\n')}`,
      items: shown.map((record) => ({
        kind: 'iteration',
        source: `iteration ${record.iterationNumber}`,
        why: 'one of the last iterations',
        text: record.summary,
      })),
      leftOut:
        shown.length < records.length
          ? [`recent iterations: ${records.length - shown.length} of ${records.length}`]
          : [],
    })),
  }
}

function learningReviewSection({ learnings, checkLearnings }: ReviewBriefing): Section {
  const name = 'learnings'
  if (learnings.length === 0) return { name, worth: 60, sizes: [{ text: '' }] }
  const title = checkLearnings
    ? '## Learnings to check\n\nCheck each of them against the code as it is now. Remove what is wrong, merge what says the same, mark as reviewed what holds.'
    : '## What is noted about this feature\n\nObservations of earlier iterations; they may be outdated.'
  return {
    name,
    worth: 60,
    sizes: shorterLists(learnings, LEARNINGS).map((shown) => ({
      text: `${title}\n\n${shown.map(learningLine).join('\n')}`,
      items: shown.map(({ id, text, source }) => ({
        kind: 'learning',
        source: `learning ${id}`,
        why: `to be reviewed, from ${source}`,
        text,
      })),
      leftOut:
        shown.length < learnings.length
          ? [`learnings: ${learnings.length - shown.length} of ${learnings.length}`]
          : [],
    })),
  }
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
    `seen ${hitCount} times`,
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
  return {
    name: 'closing',
    worth: 99,
    sizes: [{ text: `## What to do\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}` }],
  }
}
