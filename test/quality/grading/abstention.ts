import type { AbstentionResult } from '../results.ts'
import type { Found } from '../shape.ts'
import { estimateMean } from './bootstrap.ts'
import type { Half } from './halves.ts'

/** What somebody was shown who asked with no settings of their own. */
export interface Shown {
  half: Half
  /** False for questions of another world. */
  hasAnswer: boolean
  /** The right one is among as many as would be shown if none were too weak. */
  isKnown: boolean
  answer: readonly Found[]
  isAnswer: (one: Found) => boolean
}

/** From this score on the product calls an answer "relevant" (docs/library.md). */
const RELEVANT = 0.55

export function abstentionOf(shown: readonly Shown[]): AbstentionResult {
  const related = shown.filter(({ hasAnswer }) => hasAnswer)
  const share = (some: readonly Shown[], holds: (one: Shown) => boolean) =>
    estimateMean(some.map((one) => (holds(one) ? 1 : 0)))
  return {
    unrelatedAnswered: share(
      shown.filter(({ hasAnswer }) => !hasAnswer),
      ({ answer }) => answer.length > 0,
    ),
    rightShown: share(
      related.filter(({ isKnown }) => isKnown),
      ({ answer, isAnswer }) => answer.some(isAnswer),
    ),
    relevantIsRight: share(
      related.filter(({ answer }) => (answer[0]?.score ?? 0) >= RELEVANT),
      ({ answer, isAnswer }) => isAnswer(answer[0]!),
    ),
  }
}
