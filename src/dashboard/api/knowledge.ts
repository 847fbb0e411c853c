import { Hono } from 'hono'
import { z } from 'zod'
import { requireOutsideRun } from '../../person.ts'
import { KNOWLEDGE_KINDS } from '../../project-knowledge/entry.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'
import { paging } from './paging.ts'

const Name = z.string().max(200).optional()
const Question = z.object({
  question: z.string().trim().min(1, 'what is the task, or what went wrong?').max(4_000),
  error: z.string().max(4_000).optional(),
  technology: Name,
})
const Filters = z.object({
  kind: z.enum(KNOWLEDGE_KINDS).optional(),
  /** Knowledge crosses projects; "here" is what this one has taught. */
  from: z.enum(['here']).optional(),
  technology: Name,
  ...paging,
})

/** What projects have learned: asked as a task would, listed, verified, forgotten. */
export function knowledgeApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { knowledge, config } = ralph
  const listed = ({ from, ...filters }: z.infer<typeof Filters>) => ({
    ...filters,
    project: from === 'here' ? config.project : undefined,
  })
  return new Hono()
    .use(async (_, next) => {
      // As from the shell: the loop has told its agent what is known, and what is known is not the agent's to change.
      await requireOutsideRun(config, 'see or change project knowledge')
      await next()
    })
    .get('/', async (c) => {
      const { gatesWaiting: _, ...statistics } = await knowledge.statistics()
      return c.json(statistics)
    })
    .get('/patterns', checked('query', Question), async (c) => {
      const { question, error, ...filters } = c.req.valid('query')
      const { signal } = c.req.raw
      const patterns = await knowledge.ask({ description: question, error, ...filters }, { signal })
      const failure = error ? { error } : undefined
      const told = await knowledge.contextWithSources(
        { description: question, failure, ...filters },
        { signal },
      )
      return c.json({
        patterns,
        /** What would stand in an agent's prompt, and which patterns it is made of. */
        told: { text: told?.text, ids: told?.patterns.map(({ id }) => id) ?? [] },
      })
    })
    .get('/entries', checked('query', Filters), async (c) => {
      const { entries, next } = await knowledge.list(listed(c.req.valid('query')))
      return c.json({ items: entries, next })
    })
    .get('/staged', checked('query', Filters), async (c) => {
      const { entries, next } = await knowledge.staged(listed(c.req.valid('query')))
      return c.json({ items: entries, next })
    })
    .get('/entries/:id', async (c) => c.json(await knowledge.show(c.req.param('id'))))
    .post('/entries/:id/verify', async (c) => {
      await knowledge.verify(c.req.param('id'))
      return c.json({ verified: true })
    })
    .delete('/entries/:id', async (c) => c.json({ forgotten: await knowledge.forget(c.req.param('id')) }))
    .post('/checkpoint', async (c) => {
      // Not ended with the request: whoever closes the page does not want half of it.
      const { stopped, ...done } = await knowledge.checkpoint('manual')
      return c.json({ ...done, stopped: stopped && { message: stopped.message, hint: stopped.hint } })
    })
}
