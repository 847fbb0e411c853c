import { deterministicUuid } from '../text/ids.ts'
import type { CaptureOptions } from './capture.ts'
import type { NewKnowledge } from './entry.ts'

/** What is needed of an iteration; feature memory's records fit. */
export interface IterationAccount {
  iterationNumber: number
  outcome: string
  summary: string
  errors: readonly { message: string }[]
  decisions: readonly { description: string; rationale?: string | undefined }[]
}

export interface FinishedTask {
  project: string
  feature: string
  taskId: number | string
  title: string
  agentType?: string | undefined
  taskType?: string | undefined
  technology?: string | undefined
  /** Every iteration on the task, in any order. */
  iterations: readonly IterationAccount[]
}

const FAILED = new Set(['failure', 'timeout', 'partial'])
const MOST_ERRORS = 3

/**
 * What a task that failed and is now done has taught: the errors of the failing iterations, and what the succeeding
 * one did. Undefined when it succeeded at once or nothing went wrong that could be named. The same task always gets
 * the same id, so a loop that was interrupted here may simply do it again.
 */
export function solutionFrom(
  task: FinishedTask,
): { entry: NewKnowledge; options: CaptureOptions } | undefined {
  const iterations = task.iterations.toSorted((a, b) => a.iterationNumber - b.iterationNumber)
  const success = iterations.findLast((iteration) => iteration.outcome === 'success')
  if (!success) return undefined
  const failed = iterations.filter(
    ({ iterationNumber, outcome }) => iterationNumber < success.iterationNumber && FAILED.has(outcome),
  )
  const errors = [...new Set(failed.flatMap((iteration) => iteration.errors.map((error) => error.message)))]
  if (errors.length === 0) return undefined
  const { project, feature, taskId, agentType, taskType, technology } = task
  return {
    entry: {
      kind: 'failure_solution',
      project,
      agentType,
      taskType,
      technology,
      failureDescription: task.title,
      // The errors that came last are what the solution solved.
      errorMessage: errors.slice(-MOST_ERRORS).join('\n'),
      solutionSteps: [success.summary, ...success.decisions.map(decisionText)],
      successVerified: true,
    },
    options: { id: deterministicUuid(project, feature, taskId, 'solution', success.iterationNumber) },
  }
}

function decisionText({
  description,
  rationale,
}: {
  description: string
  rationale?: string | undefined
}): string {
  return rationale ? `${description} (${rationale})` : description
}
