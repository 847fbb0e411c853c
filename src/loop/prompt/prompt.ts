import type { Discipline } from '../../board/discipline.ts'
import type { Feature } from '../../board/feature.ts'
import type { Task } from '../../board/task.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import type { ShownLearning } from '../../learnings/display.ts'
import type { ReceiptItem } from '../../receipts/receipt.ts'
import { ErrorBook } from '../../telling/error-book.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { HandOver } from '../hand-over.ts'
import type { TaskErrors } from '../task-errors.ts'
import { assemblePrompt, type Prompt } from './assemble.ts'
import { disciplineSection, featureSection, taskSection } from './board-sections.ts'
import { nearbyErrorSection, openErrorSection } from './error-sections.ts'
import type { PromptFiles } from './files.ts'
import {
  closingSection,
  fileSection,
  introduction,
  type MemoryAccess,
  toolSection,
} from './fixed-sections.ts'
import { handOverSection } from './hand-over-section.ts'
import {
  failureSection,
  feedbackSection,
  learningSection,
  patternSection,
  undoneSection,
} from './memory-sections.ts'

/** Project knowledge for this task: the fenced block as it goes into the prompt, and where it came from. */
export interface KnowledgeBlock {
  text: string
  /** Ids of the patterns in it. */
  patterns: string[]
  items: ReceiptItem[]
}

/** Everything a prompt is made of; gathering it is another step. */
export interface TaskBriefing {
  task: Task
  /** Absent when the task names a feature that is not on the board. */
  feature?: Feature | undefined
  discipline?: Discipline | undefined
  currentState: string
  /** What a person said who sent earlier work back. */
  feedback: readonly string[]
  /** Absent for a task that nobody has worked on. */
  handOver?: HandOver | undefined
  /** The last run on the feature, whatever its task. */
  last?: IterationRecord | undefined
  /** Without the one that the hand-over tells of. */
  failedAttempts: readonly IterationRecord[]
  errors: TaskErrors
  /** In the order in which they are worth reading. */
  learnings: readonly ShownLearning[]
  knowledge?: KnowledgeBlock | undefined
  files: PromptFiles
  /** What the agent can do with memory itself. */
  memoryAccess: MemoryAccess
}

/**
 * The prompt for one task: surgical, within its budget to the token, each thing said once, with an account of what is in
 * it and what is not.
 */
export function taskPrompt(briefing: TaskBriefing, budget: number, tokenizer: Tokenizer): Prompt {
  const { task, handOver, failedAttempts, errors } = briefing
  const book = new ErrorBook([...errors.open, ...errors.nearby])
  const run = handOver?.run.iterationNumber
  const runs = new Set([
    ...failedAttempts.map(({ iterationNumber }) => iterationNumber),
    ...(run ? [run] : []),
  ])
  const told = { book, taskId: task.id, run, runs }
  // Before the errors: what quotes one gives it its name.
  const past = [handOverSection(handOver, book), failureSection(failedAttempts, book)]
  const patterns = patternSection(briefing.knowledge, book)
  return assemblePrompt(
    [
      introduction(),
      disciplineSection(briefing.discipline, tokenizer),
      featureSection(briefing.feature, briefing.currentState, tokenizer),
      taskSection(task, handOver?.comment ? task.comments.slice(0, -1) : task.comments, tokenizer),
      feedbackSection(briefing.feedback),
      ...past,
      undoneSection(briefing.last),
      openErrorSection(errors.open, told),
      nearbyErrorSection(errors.nearby, told),
      learningSection(briefing.learnings, book),
      patterns,
      fileSection(briefing.files),
      toolSection(briefing.memoryAccess),
      closingSection(task),
    ],
    budget,
    tokenizer,
  )
}
