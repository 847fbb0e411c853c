import { Hono } from 'hono'
import { z } from 'zod'
import { WORKERS } from '../../conversation-memory/workers/workers.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'
import { foreignId, paging } from './paging.ts'

const Name = z.enum(WORKERS)

/** What runs in the background, in whatever process: progress, what failed, what it costs. */
export function workersApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { conversations } = ralph
  return new Hono()
    .get('/', async (c) => {
      const { workers, ...rest } = await conversations.workersStatus()
      return c.json({
        ...rest,
        // The queue is long and has a list of its own.
        workers: workers.map(({ failures: _, ...status }) => status),
      })
    })
    .get('/queue', checked('query', z.object(paging)), async (c) =>
      c.json(await conversations.workers.queue(c.req.valid('query'))),
    )
    .post('/switch', checked('json', z.object({ worker: Name, on: z.boolean() })), async (c) => {
      const { worker, on } = c.req.valid('json')
      await conversations.workers.enable(worker, on)
      return c.json({ worker, on })
    })
    .post(
      '/retry',
      checked('json', z.object({ item: z.object({ worker: Name, itemId: foreignId }).optional() })),
      async (c) => c.json({ retried: await conversations.workers.retry(c.req.valid('json').item) }),
    )
    .post('/clear', async (c) => c.json({ cleared: await conversations.workers.clear() }))
}
