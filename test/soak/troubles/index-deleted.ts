import { setTimeout as sleep } from 'node:timers/promises'
import { runMixed } from '../core/mixed.ts'
import { sentenceOf } from '../core/random.ts'
import type { Trial } from '../core/trial.ts'
import { openProduct, removeIndexes } from '../core/world.ts'

const PATHS = ['record', 'learnings', 'board', 'knowledge', 'conversations'] as const

/** What is said to be disposable is deleted while others write and search: it costs time, never knowledge. */
export const indexDeleted: Trial = {
  name: 'index-deleted',
  what: 'the cache and the indexes deleted under those who write and search',
  share: 5,
  run: (context) =>
    runMixed(indexDeleted, context, {
      paths: PATHS,
      how: { kills: false },
      beside: async (world, signal) => {
        const { random } = context
        const ralph = await openProduct(world)
        try {
          while (!signal.aborted) {
            await ralph.featureMemory.search('login', sentenceOf('w0n0'))
            await ralph.conversations.search(sentenceOf('w0n1'))
            await sleep(random.between(1, 60))
            removeIndexes(world)
            await sleep(random.between(20, 400))
          }
        } finally {
          await ralph.close()
        }
      },
    }),
}
