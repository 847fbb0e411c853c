import { Hono } from 'hono'
import { z } from 'zod'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'

/** A piece of one of the person's documents, with what stands around it. */
export function documentsApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  return new Hono().get('/:id', checked('param', z.object({ id: z.uuid() })), async (c) => {
    const { id } = c.req.valid('param')
    return c.json({ id, pieces: await ralph.documents.around(id) })
  })
}
