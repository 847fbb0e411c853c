import { setTimeout as sleep } from 'node:timers/promises'
import { startQdrant } from '../../stand-ins/qdrant.ts'
import { runMixed } from '../core/mixed.ts'
import type { Random } from '../core/random.ts'
import type { Trial } from '../core/trial.ts'

const UNWELL = {
  status: 500,
  body: JSON.stringify({ status: { error: 'Service internal error: the soak' } }),
}
/** Half an answer, as of a connection that was cut. */
const CUT = { status: 200, body: '{"result":{"sta', headers: { 'content-length': '500' } }

/** A Qdrant that refuses connections, fails and cuts its answers, by turns, under those who write and search. */
export const qdrant: Trial = {
  name: 'qdrant',
  what: 'Qdrant flapping: refusing, failing, cutting connections',
  share: 2.5,
  run: async (context) => {
    const server = await startQdrant()
    try {
      return await runMixed(qdrant, context, {
        paths: ['record', 'knowledge', 'conversations', 'workers'],
        env: { RALPH_INDEX: 'qdrant', RALPH_QDRANT_URL: server.url },
        mayRefuse: true,
        beside: (_, signal) => flap(server, context.random, signal),
        loseIndex: () => {
          server.collections.clear()
          server.aliases.clear()
        },
      })
    } finally {
      await server.close()
    }
  },
}

async function flap(
  server: Awaited<ReturnType<typeof startQdrant>>,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(random.between(50, 600))
    const how = random.of(['refusing', 'failing', 'cutting', 'now and then'])
    if (how === 'refusing') await server.close()
    if (how === 'failing') server.trouble = () => UNWELL
    if (how === 'cutting') server.trouble = () => CUT
    if (how === 'now and then') server.trouble = () => (random.next() < 0.3 ? UNWELL : undefined)
    await sleep(random.between(20, 400))
    server.trouble = undefined
    if (how === 'refusing') await server.restart()
  }
}
