import { Hono } from 'hono'
import { z } from 'zod'
import { ragBadge } from '../../health/status.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'
import { pageFrom } from './paging.ts'

/** A first view does not wait for a journal that nobody has read yet. */
const PATIENCE_MS = 400
const FEATURES = 25
const MOST = 500
const Paged = z.object({
  limit: z.coerce.number().int().min(1).max(MOST).default(FEATURES),
  after: z.coerce.number().int().min(0).default(0),
})

/** What a person wants to know first. */
export function overviewApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  return new Hono()
    .get('/waiting', checked('query', Paged), async (c) => {
      const { after, limit } = c.req.valid('query')
      const { count, items, troubles } = await ralph.overview.waiting()
      return c.json({ count, troubles, ...pageFrom(items, after, limit) })
    })
    .get('/work', checked('query', Paged), async (c) => {
      const { after, limit } = c.req.valid('query')
      const { features, ...sums } = await ralph.overview.work({ patienceMs: PATIENCE_MS })
      const counting = features.filter((feature) => feature.counting).length
      return c.json({ ...sums, featureCount: features.length, counting, ...pageFrom(features, after, limit) })
    })
    .get('/told', async (c) => c.json(await ralph.overview.told()))
    .get('/health', async (c) => {
      const [rag, storage] = await Promise.all([ralph.health.rag(), ralph.health.storage()])
      return c.json({ badge: ragBadge(rag), storage })
    })
}
