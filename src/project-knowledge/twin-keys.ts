import { errorSignature } from '../text/error-signature.ts'
import { sha256 } from '../text/ids.ts'
import type { Knowledge } from './entry.ts'
import { problemOf, rejectionOf } from './entry-text.ts'

/** Under which an entry's twins are found. */
export interface TwinKeys {
  /** The same for entries that say the same in the same words, whatever their spacing, case and final punctuation. */
  twin: string
  /** The same for entries that may be about the same problem: the same error, or else the same description. */
  problem: string
  /** The same for entries with the same solution, word for word. */
  solution: string
}

export function twinKeys(knowledge: Knowledge): TwinKeys {
  const { kind, agentType, taskType, technology } = knowledge
  const filing = [kind, agentType, taskType, technology]
  const key = (...texts: string[]) => sha256(JSON.stringify([...filing, ...texts].map(plainWords)))
  const [problem, solution] = [problemOf(knowledge), solutionSign(knowledge)]
  return { twin: key(problem, solution), problem: key(problemSign(knowledge)), solution: key(solution) }
}

/** What stays the same when a problem shows up again elsewhere: no paths, numbers and ids. */
function problemSign(knowledge: Knowledge): string {
  switch (knowledge.kind) {
    case 'failure_solution':
      return errorSignature(knowledge.errorMessage || knowledge.failureDescription)
    case 'gate_rejection':
      return errorSignature(rejectionOf(knowledge))
    case 'gate_approval':
      return knowledge.approvedApproach
  }
}

function solutionSign(knowledge: Knowledge): string {
  switch (knowledge.kind) {
    case 'failure_solution':
      return knowledge.solutionSteps
    case 'gate_rejection':
      return knowledge.revisionApproach || knowledge.humanFeedback
    case 'gate_approval':
      return knowledge.approvedApproach
  }
}

/** Symbols inside and before words stay: `!=` and `==`, `-1` and `1` are not the same. */
function plainWords(value: string): string {
  return value
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^["'`([]+|["'`)\].,;:!?]+$/g, ''))
    .filter(Boolean)
    .join(' ')
}
