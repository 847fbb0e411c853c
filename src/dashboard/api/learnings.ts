import { Hono } from 'hono'
import { z } from 'zod'
import { RalphError } from '../../errors.ts'
import type { CareResult } from '../../learnings/care.ts'
import type { ShownLearning } from '../../learnings/display.ts'
import type { Ralph } from '../../ralph.ts'
import { undoable } from '../../undo/undoable.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'

const Feature = z.object({ feature: z.string() })
const One = Feature.extend({ id: z.string().max(20) })
const Words = z.object({ text: z.string().max(5_000).optional(), reason: z.string().max(5_000).optional() })
const Settling = z.object({ decision: z.enum(['keep_this', 'keep_both']) })

/** What a feature has learned, and a person's care of it. */
export function learningsApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { learnings } = ralph
  const cared = async (deed: string, id: string, work: () => Promise<CareResult>) =>
    outcomeOf(await undoable(ralph, `learnings ${deed} ${id}`, work))
  return new Hono()
    .get('/', checked('param', Feature), async (c) => {
      return c.json({ items: await learningsForPeople(ralph, c.req.valid('param').feature) })
    })
    .post('/:id/review', checked('param', One), async (c) => {
      const { feature, id } = c.req.valid('param')
      return c.json(await cared('review', id, () => learnings.review(feature, id, 'person')))
    })
    .post('/:id/resolve', checked('param', One), checked('json', Settling), async (c) => {
      const { feature, id } = c.req.valid('param')
      const { decision } = c.req.valid('json')
      return c.json(await cared('review', id, () => learnings.resolve(feature, id, decision, 'person')))
    })
    .put('/:id', checked('param', One), checked('json', Words), async (c) => {
      const { feature, id } = c.req.valid('param')
      const words = c.req.valid('json')
      return c.json(await cared('edit', id, () => learnings.edit(feature, id, words, 'person')))
    })
    .delete('/:id', checked('param', One), async (c) => {
      const { feature, id } = c.req.valid('param')
      return c.json(await cared('remove', id, () => learnings.remove(feature, id, 'person')))
    })
}

/** As they were written: what is made harmless for prompts would read, and be edited, as something else. */
export async function learningsForPeople(
  { learnings, featureMemory }: Pick<Ralph, 'learnings' | 'featureMemory'>,
  feature: string,
): Promise<ShownLearning[]> {
  const [latest] = await featureMemory.recent(feature, 1)
  const shown = await learnings.list(feature, { iteration: latest?.iterationNumber })
  const written = new Map((await learnings.known(feature)).map((one) => [one.id, one]))
  return shown.map((one) => {
    const { text, reason } = written.get(one.id) ?? one
    return { ...one, text, reason }
  })
}

/** What did not work out is an answer of its own on the page. */
function outcomeOf({ outcome, why }: CareResult): { outcome: string; why: string } {
  if (outcome === 'not_found') {
    const hint = 'Somebody else may have edited or removed it: look again.'
    throw new RalphError('not_found', why, { hint })
  }
  if (outcome === 'refused') throw new RalphError('conflict', why)
  return { outcome, why }
}
