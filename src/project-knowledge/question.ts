import { RalphError } from '../errors.ts'
import type { Question } from '../retrieval/ask.ts'
import { sanitise } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import type { FailureQuery, TaskQuery } from './query.ts'

/** What the index is asked. */
export type KnowledgeQuestion = Pick<Question, 'text' | 'failure'>

const LONGEST = 4_000

export function taskQuestion({ description }: TaskQuery): KnowledgeQuestion {
  return { text: questionText(description) }
}

export function failureQuestion({ description, error }: FailureQuery): KnowledgeQuestion {
  const text = questionText([description, error].filter(Boolean).join('\n'))
  return { text, failure: error || description }
}

function questionText(given: string): string {
  const text = truncate(sanitise(given.slice(0, 4 * LONGEST)).trim(), LONGEST)
  if (text !== '') return text
  throw new RalphError('invalid_input', 'the question is empty', {
    hint: 'Describe the task or the failure in words.',
  })
}
