import { RalphError, throwIfAborted } from '../errors.ts'
import { takeLent } from '../retrieval/catch-up.ts'
import { type ConversationIndex, ITEM_KINDS } from './conversation-index.ts'
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

/** Rows read at a time. */
const PAGE = 500

/** Words of the whole history, with the vectors that somebody lends. What is missing then is for the workers: nothing is written where the history is kept. */
export async function carryIndex(index: ConversationIndex, signal: AbortSignal | undefined): Promise<void> {
  await index.catchUpWords({ signal })
  const embedder = await index.ready()
  if (!embedder) return
  for (const kind of ITEM_KINDS) {
    for (let after = 0; ; ) {
      throwIfAborted(signal)
      const { drafts, last } = await index.drafts.after(kind, after, PAGE)
      if (drafts.length === 0) break
      const findable = drafts.filter(({ isFindable }) => isFindable)
      await takeLent(index.of(kind), findable, embedder)
      after = last
    }
  }
}
