import { Hono } from 'hono'
import { z } from 'zod'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'

const Asked = z.object({
  feature: z.string().max(200).optional(),
  since: z.iso.datetime().optional(),
})

/** Whether memory makes a difference in this project. */
export function effectApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  return new Hono().get('/', checked('query', Asked), async (c) => {
    const [report, features] = await Promise.all([
      ralph.effect.report(c.req.valid('query')),
      ralph.featureMemory.features(),
    ])
    return c.json({ ...report, features })
  })
}
