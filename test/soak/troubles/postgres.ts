import { setTimeout as sleep } from 'node:timers/promises'
import { noPostgres, startPostgres } from '../../stand-ins/postgres.ts'
import { runMixed } from '../core/mixed.ts'
import { skipped, type Trial } from '../core/trial.ts'

/** A real PostgreSQL that crashes under transactions and comes back. What it refused is done again under the same id. */
export const postgres: Trial = {
  name: 'postgres',
  what: 'PostgreSQL crashing and restarting in mid-transaction',
  share: 2.5,
  run: async (context) => {
    if (noPostgres !== undefined) return skipped(postgres, noPostgres)
    const { random } = context
    const server = await startPostgres()
    try {
      return await runMixed(postgres, context, {
        paths: ['knowledge', 'conversations', 'workers'],
        env: { RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: server.url },
        mayRefuse: true,
        beside: async (_, signal) => {
          while (!signal.aborted) {
            await sleep(random.between(300, 1_500))
            await server.stop('immediate')
            await sleep(random.between(0, 400))
            await server.start()
          }
        },
      })
    } finally {
      await server.remove()
    }
  },
}
