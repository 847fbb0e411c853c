import { RalphError } from '../errors.ts'
import type { ConversationIndex } from './conversation-index.ts'
import type { Workers } from './workers/workers.ts'

/** Words and vectors of the whole history; throws where some could not be embedded. */
export async function fillIndex(
  index: ConversationIndex,
  workers: Workers,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  await index.catchUpWords({ signal })
  await index.removeForgotten(signal)
  await workers.runOnce(signal, ['embedding'])
  const problem = workers.problems.get('embedding')
  if (problem) throw new RalphError('unavailable', `conversations could not be embedded: ${problem}`)
}
