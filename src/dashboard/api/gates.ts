import { Hono } from 'hono'
import { z } from 'zod'
import { rejectWork } from '../../loop/gate.ts'
import { decisionOf, readableChange } from '../../project-knowledge/gate.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'
import { paging } from './paging.ts'

/** Work that waits for a person, or waited: of this project, and of no other. */
export function gatesApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { gates } = ralph.knowledge
  const { project } = ralph.config
  const ours = (id: string) => gates.show(id, { project })
  return new Hono()
    .get('/', checked('query', z.object({ state: z.enum(['waiting', 'decided']), ...paging })), async (c) => {
      const { entries, next } = await gates.list({ ...c.req.valid('query'), project })
      return c.json({ items: entries, next, waiting: await gates.countWaiting({ project }) })
    })
    .get('/:id', checked('query', z.object({ whole: z.enum(['yes']).optional() })), async (c) => {
      const { change, ...gate } = await ours(c.req.param('id'))
      const said = await gates.feedbackFor({ project, taskId: gate.taskId })
      const { entries: waiting } = await gates.list({ state: 'waiting', project, limit: 2 })
      return c.json({
        gate,
        change: readableChange(change, { whole: c.req.valid('query').whole === 'yes' }),
        /** In words, where it has been decided. */
        decision: gate.state === 'waiting' ? undefined : decisionOf({ ...gate, change }),
        /** The work that has waited longest, besides this. */
        next: waiting.find(({ id }) => id !== gate.id)?.id,
        /** What people had said of this task before, and has not been met since. */
        earlier: said
          .filter(({ id }) => id !== gate.id)
          .map(({ id, gateType, attempt, feedback }) => ({ id, gateType, attempt, feedback })),
      })
    })
    .post('/:id/approve', async (c) => {
      const { id } = await ours(c.req.param('id'))
      const { captured } = await gates.approve(id)
      return c.json({ captured: captured.length })
    })
    .post('/:id/reject', checked('json', z.object({ feedback: z.string().max(20_000) })), async (c) => {
      const { id } = await ours(c.req.param('id'))
      const { board, identity } = ralph
      const { captured, sentBack } = await rejectWork({ gates, board, identity }, id, c.req.valid('json'))
      return c.json({ captured: captured.length, sentBack })
    })
}
