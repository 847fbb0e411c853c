import type { Outcome } from '../../../feature-memory/record.ts'
import { OUTCOMES } from '../kit/badge.tsx'
import { wholeNumber } from './numbers.ts'

/** In the order in which they are stacked. */
const ORDER: readonly Outcome[] = ['success', 'partial', 'rate_limited', 'timeout', 'failure']

/** Of each outcome the word and the sign that its badge has. */
export const OUTCOME_LOOKS = ORDER.map((outcome) => ({ outcome, ...OUTCOMES[outcome]! }))

export type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>

/** "12 success, 3 failure": only what there was. */
export function outcomeWords(counts: OutcomeCounts): string {
  const told = OUTCOME_LOOKS.filter(({ outcome }) => counts[outcome]).map(
    ({ outcome, word }) => `${wholeNumber(counts[outcome]!)} ${word}`,
  )
  return told.length === 0 ? 'nothing' : told.join(', ')
}

export function countOutcomes(outcomes: Iterable<Outcome>): OutcomeCounts {
  const counts: Partial<Record<Outcome, number>> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
