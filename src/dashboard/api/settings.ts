import { Hono } from 'hono'
import { z } from 'zod'
import { isRalphError } from '../../errors.ts'
import { untrustedDemands } from '../../health/clone-checks.ts'
import type { Ralph } from '../../ralph.ts'
import { undoable } from '../../undo/undoable.ts'
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
      const key = c.req.param('key')
      return c.json(await undoable(ralph, `config set ${key}`, () => configuration.set(key, value, place)))
    })
    .delete('/:key', checked('query', z.object({ in: Place })), async (c) => {
      const key = c.req.param('key')
      const place = c.req.valid('query').in
      return c.json(await undoable(ralph, `config unset ${key}`, () => configuration.unset(key, place)))
    })
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
