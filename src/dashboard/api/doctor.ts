import { Hono } from 'hono'
import type { DashboardContext } from '../context.ts'

/** One check after the other, so that the page shows how far it has come. */
export function doctorApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { health } = ralph
  return new Hono()
    .get('/', async (c) => c.json({ checks: await health.checks() }))
    .get('/:check', async (c) => c.json(await health.check(c.req.param('check'))))
    .post('/:check/mend', async (c) => c.json(await health.check(c.req.param('check'), { fix: true })))
}
