import type { Discipline } from '../../board/discipline.ts'
import type { Feature } from '../../board/feature.ts'
import type { Task } from '../../board/task.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import type { ShownLearning } from '../../learnings/display.ts'
import type { ReceiptItem } from '../../receipts/receipt.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { RepeatedError } from '../history.ts'
import { assemble, type Prompt } from './assemble.ts'
import { disciplineSection, featureSection, taskSection } from './board-sections.ts'
import type { PromptFiles } from './files.ts'
import { closingSection, fileSection, introduction, toolSection } from './fixed-sections.ts'
import {
  failureSection,
  feedbackSection,
  learningSection,
  patternSection,
  repeatedErrorSection,
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
  failedAttempts: readonly IterationRecord[]
  repeatedErrors: readonly RepeatedError[]
  /** In the order in which they are worth reading. */
  learnings: readonly ShownLearning[]
  knowledge?: KnowledgeBlock | undefined
  files: PromptFiles
  /** Whether the agent can ask memory itself. */
  memoryTools: boolean
}

/** The prompt for one task: surgical, within its budget to the token, with an account of what is in it and what is not. */
export function taskPrompt(briefing: TaskBriefing, budget: number, tokenizer: Tokenizer): Prompt {
  return assemble(
    [
      introduction(),
      disciplineSection(briefing.discipline, tokenizer),
      featureSection(briefing.feature, briefing.currentState, tokenizer),
      taskSection(briefing.task, tokenizer),
      feedbackSection(briefing.feedback),
      // First among the memory parts: knowing what failed helps most.
      failureSection(briefing.failedAttempts),
      repeatedErrorSection(briefing.repeatedErrors),
      learningSection(briefing.learnings),
      patternSection(briefing.knowledge),
      fileSection(briefing.files),
      toolSection(briefing.memoryTools),
      closingSection(briefing.task),
    ],
    budget,
    tokenizer,
  )
}
