import { isRalphError } from '../errors.ts'
import { redactValue } from '../text/redact-value.ts'
import type { FeatureBoard } from './board-source.ts'
import type { Finding } from './finding.ts'

/**
 * What was learned as the board has it now. The index only finds it: its file lies in the project, where a clone may have
 * brought it and an agent may write, so nobody believes it who said something or whether anybody did.
 */
export async function asOnBoard(
  findings: readonly Finding[],
  feature: string,
  board: FeatureBoard | undefined,
): Promise<Finding[]> {
  if (!board || !findings.some(({ type }) => type === 'learning')) return [...findings]
  const notes = await learningsOf(board, feature)
  return findings.flatMap((finding): Finding[] => {
    if (finding.type !== 'learning') return [finding]
    // A board that cannot be read vouches for nobody.
    if (!notes) return [{ ...finding, learning: { ...finding.learning, source: 'repository' } }]
    const note = notes.get(finding.learning.id)
    if (!note) return []
    const { id, text, reason, source, iteration, taskId } = note
    return [{ ...finding, learning: { id, text, reason, source, iteration, taskId } }]
  })
}

/** By their ids; undefined while the board cannot be read. */
async function learningsOf(board: FeatureBoard, feature: string) {
  try {
    const described = redactValue(await board.describe(feature))
    return new Map((described?.learnings ?? []).map((learning) => [learning.id, learning]))
  } catch (error) {
    if (!isRalphError(error)) throw error
    return undefined
  }
}
