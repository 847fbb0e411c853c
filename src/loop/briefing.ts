import type { Task } from '../board/task.ts'
import { isRalphError, messageOf } from '../errors.ts'
import type { ShownLearning } from '../learnings/display.ts'
import type { Notice } from '../notices.ts'
import { loadTokenizer } from '../text/tokens.ts'
import type { FeatureHistory } from './history.ts'
import type { LoopParts } from './parts.ts'
import type { Prompt } from './prompt/assemble.ts'
import { promptFiles } from './prompt/files.ts'
import { type KnowledgeBlock, taskPrompt } from './prompt/prompt.ts'

/** The errors an agent should hear about have come back at least once. */
const REPEATED_FROM = 2

export interface BriefedPrompt {
  prompt: Prompt
  knowledge: KnowledgeBlock | undefined
  /** Context files that are listed but gone. */
  stale: string[]
}

export interface BriefingOptions {
  budget: number
  memoryTools: boolean
  /** False to show nothing of what earlier iterations did. */
  memory?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Gathers what is known about a task and makes the prompt of it. Changes nothing. */
export async function briefTask(
  parts: Pick<LoopParts, 'project' | 'board' | 'learnings' | 'knowledge' | 'notices'>,
  task: Task,
  history: FeatureHistory,
  { budget, memoryTools, memory = true, signal }: BriefingOptions,
): Promise<BriefedPrompt> {
  const { board, project } = parts
  const tokenizer = await loadTokenizer()
  const feature = await board.findFeature(task.feature)
  const failedAttempts = memory ? history.failedAttempts(task.id) : []
  const files = await promptFiles(project, feature, tokenizer)
  const knowledge = memory ? await knowledgeFor(parts, task, failedAttempts, signal) : undefined
  const prompt = taskPrompt(
    {
      task,
      feature,
      discipline: await board.findDiscipline(task.discipline),
      currentState: await board.currentState(task.feature),
      feedback: await feedbackFor(parts, task),
      failedAttempts,
      repeatedErrors: memory ? history.repeatedErrors(REPEATED_FROM) : [],
      learnings: memory ? await learningsFor(parts, task, history) : [],
      knowledge,
      files,
      memoryTools: memory && memoryTools,
    },
    budget,
    tokenizer,
  )
  return { prompt, knowledge, stale: files.stale }
}

/** Key of the notice: whatever asks the storage in a loop meets the same trouble, which is told once. */
export const STORAGE_DOWN = 'storage'

function storageDown(consequence: string, error: unknown): Notice {
  const hint = (isRalphError(error) && error.hint) || 'ralph doctor'
  return { key: STORAGE_DOWN, message: `${consequence}: ${messageOf(error)}`, hint }
}

/** Memory enriches, it never gates: without it the task is worked on all the same. */
async function knowledgeFor(
  { knowledge, notices }: Pick<LoopParts, 'knowledge' | 'notices'>,
  task: Task,
  failed: Parameters<NonNullable<LoopParts['knowledge']>['contextFor']>[1],
  signal: AbortSignal | undefined,
): Promise<KnowledgeBlock | undefined> {
  try {
    return await knowledge?.contextFor(task, failed, signal)
  } catch (error) {
    notices.once(storageDown('project knowledge is off', error))
    return undefined
  }
}

async function feedbackFor(
  { knowledge, notices }: Pick<LoopParts, 'knowledge' | 'notices'>,
  task: Task,
): Promise<string[]> {
  try {
    const feedback = await knowledge?.feedbackFor(task)
    notices.recovered(STORAGE_DOWN)
    return feedback ?? []
  } catch (error) {
    notices.once(storageDown('gates cannot be read', error))
    return []
  }
}

async function learningsFor(
  { learnings, notices }: Pick<LoopParts, 'learnings' | 'notices'>,
  task: Task,
  history: FeatureHistory,
): Promise<ShownLearning[]> {
  try {
    return await learnings.list(task.feature, { taskId: task.id, iteration: history.latest })
  } catch (error) {
    notices.once({
      key: 'loop:learnings',
      message: `learnings are off: ${messageOf(error)}`,
      hint: 'ralph doctor',
    })
    return []
  }
}
