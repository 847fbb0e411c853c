import { appendLearning } from './append.ts'
import { type FeatureLearning, learningToDisk, parseLearnings } from './learning.ts'

/**
 * Takes over learnings that an agent wrote into the file itself, through the same door as all others: as the agent's,
 * whatever they claim about where they come from or who reviewed them. Both lists are as they stand in YAML.
 */
export function adoptWritten(
  existing: readonly unknown[],
  added: readonly unknown[],
  { now, iteration, place = 'learnings' }: { now: string; iteration?: number | undefined; place?: string },
): unknown[] {
  let learnings: FeatureLearning[] = parseLearnings(existing, place)
  for (const value of added) {
    const { text, reason } = fieldsOf(value)
    const candidate = {
      text,
      reason: reason || 'written into features.yaml by the agent',
      source: 'agent' as const,
      iteration,
    }
    learnings = appendLearning(learnings, candidate, { now }).learnings
  }
  // What was there stays as a person wrote it, unless the addition changed it.
  return learnings.map((learning, index) =>
    index < existing.length && isSame(existing[index], learning, place)
      ? existing[index]
      : learningToDisk(learning),
  )
}

function isSame(value: unknown, learning: FeatureLearning, place: string): boolean {
  return (
    JSON.stringify(learningToDisk(parseLearnings([value], place)[0]!)) ===
    JSON.stringify(learningToDisk(learning))
  )
}

function fieldsOf(value: unknown): { text: string; reason: string } {
  const fields =
    value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : { text: value }
  const text = (field: unknown) => (typeof field === 'string' ? field : '')
  return { text: text(fields['text']), reason: text(fields['reason']) }
}
