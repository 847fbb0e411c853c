import { deterministicUuid } from '../text/ids.ts'
import type { CaptureOptions } from './capture.ts'
import type { NewKnowledge } from './entry.ts'
import { taskSource } from './sources.ts'

/** An error that stood in a task's way and is gone by evidence, with the run that did it. */
export interface SolvedError {
  /** The same for the same error of the feature. */
  id: string
  message: string
  solvedBy: {
    iteration: number
    summary: string
    decisions: readonly string[]
    files: readonly string[]
  }
}

export interface FinishedTask {
  project: string
  feature: string
  taskId: number
  title: string
  description?: string | undefined
  agentType?: string | undefined
  taskType?: string | undefined
  technology?: string | undefined
}

/**
 * What an error that was solved by evidence has taught. The same solution of the same error always gets the same id, so a
 * loop that was interrupted here may simply do it again.
 */
export function promoted(
  task: FinishedTask,
  { id, message, solvedBy }: SolvedError,
): { entry: NewKnowledge; options: CaptureOptions } {
  const { project, feature, taskId, title, description, agentType, taskType, technology } = task
  const { iteration, summary, decisions, files } = solvedBy
  return {
    entry: {
      kind: 'failure_solution',
      ...{ project, agentType, taskType, technology },
      failureDescription: title,
      taskDescription: description,
      errorMessage: message,
      solutionSteps: [summary, ...decisions, ...(files.length > 0 ? [`Changed: ${files.join(', ')}`] : [])],
      successVerified: true,
    },
    options: {
      id: deterministicUuid(project, feature, taskId, 'solution', id, iteration),
      task: taskSource(feature, taskId),
    },
  }
}
