import type { FeatureLearning } from './learning.ts'
import type { BelievedLearning } from './vouched.ts'

/** Counted in iterations of the feature. */
const STALE_AFTER = 20
const PRUNED_AFTER = 40

/** Nobody but the extractor ever saw it, and it once: all that may go by itself. */
export function isExpendable(learning: FeatureLearning): boolean {
  return learning.source === 'auto' && !learning.reviewed && learning.hitCount === 1 && !isDisputed(learning)
}

/** A person has been asked to decide: it stays until then. */
export function isDisputed(learning: Pick<FeatureLearning, 'conflictsWith'>): boolean {
  return (learning.conflictsWith?.length ?? 0) > 0
}

/** Not reviewed and not observed again for so long that it may no longer hold. */
export function isStale(learning: BelievedLearning, iteration: number): boolean {
  const unattended = learning.source === 'auto' || learning.source === 'repository'
  return unattended && !learning.reviewed && age(learning, iteration) >= STALE_AFTER
}

/** What is left when the expendable ones that grew too old are let go. */
export function pruneLearnings(
  learnings: readonly FeatureLearning[],
  iteration: number,
): { learnings: FeatureLearning[]; pruned: FeatureLearning[] } {
  const pruned = learnings.filter(
    (learning) => isExpendable(learning) && age(learning, iteration) >= PRUNED_AFTER,
  )
  return { learnings: learnings.filter((learning) => !pruned.includes(learning)), pruned }
}

/** Of one whose iteration is unknown, nobody can say that it is old. */
function age(learning: Pick<FeatureLearning, 'lastSeen' | 'iteration'>, iteration: number): number {
  const seen = learning.lastSeen ?? learning.iteration
  return seen === undefined ? 0 : iteration - seen
}
