import { Hono } from 'hono'
import { z } from 'zod'
import { OUTCOMES } from '../../feature-memory/record.ts'
import { isOfRun } from '../../person.ts'
import { recallEverything } from '../../recall/recall.ts'
import { MEMORY_KINDS } from '../../recall/recollection.ts'
import { searchableFeatures } from '../../recall/searchable.ts'
import { MOST_RESULTS } from '../../retrieval/relevance.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'

/** Once or several times in an address. */
const several = <Choice extends string>(choices: readonly [Choice, ...Choice[]]) =>
  z
    .union([z.enum(choices), z.array(z.enum(choices)).max(choices.length)])
    .transform((given) => (Array.isArray(given) ? given : [given]))
    .optional()

const Question = z.object({
  query: z.string().trim().min(1, 'what do you look for?').max(4_000),
  kind: several(MEMORY_KINDS),
  feature: z.string().max(200).optional(),
  outcome: several(OUTCOMES),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(MOST_RESULTS).optional(),
})

/** One search over everything that whoever looks may see. */
export function searchApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  return new Hono()
    .get('/', checked('query', Question), async (c) => {
      const { query, kind: kinds, limit, ...filters } = c.req.valid('query')
      const { settings } = ralph.config
      const inRun = await isOfRun(ralph.config)
      const wanted = { ...filters, kinds, inRun, limit: limit ?? settings.search.limit }
      const { minScore } = settings.search
      const { signal } = c.req.raw
      const { results, degraded } = await recallEverything(ralph, query, { ...wanted, minScore, signal })
      return c.json({
        items: results.map(({ text: _, ...result }) => result),
        limit: wanted.limit,
        degraded,
      })
    })
    .get('/features', async (c) => c.json({ features: await searchableFeatures(ralph) }))
}
