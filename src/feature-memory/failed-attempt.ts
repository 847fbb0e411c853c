import type { IterationRecord } from './record.ts'

/**
 * Whether a run tried and did not get there: it worked to its own end, and either nothing came of it or a check was left
 * failing. Whoever was stopped, refused, or let down by the service has not shown that anything does not work.
 */
export function isFailedAttempt({ kind, ending, outcome, checks }: IterationRecord): boolean {
  if (kind === 'review' || ending.kind !== 'worked') return false
  return outcome === 'failure' || (outcome === 'partial' && checks.some(({ result }) => result === 'failed'))
}
