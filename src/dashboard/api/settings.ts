import { Hono } from 'hono'
import { z } from 'zod'
import { isRalphError } from '../../errors.ts'
import { untrustedDemands } from '../../health/clone-checks.ts'
import type { Ralph } from '../../ralph.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'

const Place = z.enum(['user', 'project'])

/** Every setting with where it comes from; a change is checked before anything is written. */
export function settingsApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { configuration } = ralph
  return new Hono()
    .get('/', async (c) => {
      const report = await configuration.list()
      return c.json({ ...report, untrusted: await untrusted(ralph) })
    })
    .put('/:key', checked('json', z.object({ value: z.string().max(10_000), in: Place })), async (c) => {
      const { value, in: place } = c.req.valid('json')
      return c.json(await configuration.set(c.req.param('key'), value, place))
    })
    .delete('/:key', checked('query', z.object({ in: Place })), async (c) =>
      c.json(await configuration.unset(c.req.param('key'), c.req.valid('query').in)),
    )
}

/** What the project's files ask for and a person has to trust; a file that cannot be read is told of with the settings. */
async function untrusted({
  config,
  board,
}: Ralph): Promise<{ name: string; effect: string; lines: string[] }[]> {
  try {
    return (await untrustedDemands(config, board)).map(({ name, effect, lines }) => ({ name, effect, lines }))
  } catch (error) {
    if (isRalphError(error)) return []
    throw error
  }
}
