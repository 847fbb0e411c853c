import { truncate } from '../text/truncate.ts'
import { ENTRY_CAPS, type GateApproval, type GateRejection, type Knowledge } from './entry.ts'

/** What went wrong, or what was to be done. */
export function problemOf(knowledge: Knowledge): string {
  switch (knowledge.kind) {
    case 'failure_solution':
      return knowledge.errorMessage === ''
        ? knowledge.failureDescription
        : `${knowledge.failureDescription.replace(/[.,;:]$/, '')}: ${knowledge.errorMessage}`
    case 'gate_rejection':
      return `${onTask(knowledge)}${rejectionOf(knowledge)}`
    case 'gate_approval':
      return `${onTask(knowledge)}Passing the ${knowledge.gateType} gate`
  }
}

function onTask({ taskTitle }: GateRejection | GateApproval): string {
  return taskTitle && `Task "${taskTitle}". `
}

export function rejectionOf({ gateType, humanFeedback }: GateRejection): string {
  return `Rejected at the ${gateType} gate: ${humanFeedback}`
}

/** What reported the failure that it solves. */
export function failureIn(knowledge: Knowledge): string | undefined {
  if (knowledge.kind !== 'failure_solution') return undefined
  return knowledge.errorMessage || knowledge.failureDescription
}

/** What was done about it. */
export function solutionOf(knowledge: Knowledge): string {
  switch (knowledge.kind) {
    case 'failure_solution':
      return knowledge.solutionSteps
    case 'gate_rejection':
      return knowledge.revisionApproach || 'what the reviewer asked for; how it was met has not been recorded'
    case 'gate_approval':
      return knowledge.approvedApproach
  }
}

/** The words an entry is found by: all it says, and what it is about. */
export function searchText(knowledge: Knowledge): string {
  const { technology, taskType } = knowledge
  return [...saidIn(knowledge), technology, taskType].filter(Boolean).join('\n')
}

/** The meaning an entry is found by: the problem, and how its solution begins; more of it blurs what it is about. */
export function entryEmbeddingText(knowledge: Knowledge): string {
  const texts = saidIn(knowledge)
  const solution = texts.pop()!
  const problem = texts.filter(Boolean).join('\n')
  return [
    truncate(problem, ENTRY_CAPS.embeddedProblem),
    truncate(solution, ENTRY_CAPS.embeddedSolution),
    knowledge.technology,
  ]
    .filter(Boolean)
    .join('\n')
}

/**
 * What was said, without words of our own, the solution last. The task comes first: another task is compared with it, and
 * finds an error or feedback that shares no word with either.
 */
function saidIn(knowledge: Knowledge): string[] {
  switch (knowledge.kind) {
    case 'failure_solution':
      return [
        knowledge.failureDescription,
        knowledge.taskDescription,
        knowledge.errorMessage,
        knowledge.solutionSteps,
      ]
    case 'gate_rejection': {
      const { taskTitle, taskDescription, gateType, humanFeedback, revisionApproach } = knowledge
      return [taskTitle, taskDescription, gateType, humanFeedback, revisionApproach]
    }
    case 'gate_approval': {
      const { taskTitle, taskDescription, gateType, approvedApproach } = knowledge
      return [taskTitle, taskDescription, gateType, approvedApproach]
    }
  }
}
