import { Hono } from 'hono'
import { z } from 'zod'
import { oneLine } from '../../text/truncate.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'
import { foreignId, from, paging } from './paging.ts'

const Tag = z.string().trim().min(1, 'a tag needs a name').max(200)
const SHOWN_CHARACTERS = 300

/** What was said: the list, one conversation, one exchange; tags, votes, forgetting. */
export function conversationsApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { conversations } = ralph
  return new Hono()
    .get('/', checked('query', z.object({ tag: Tag.optional(), ...paging })), async (c) => {
      const { conversations: items, next } = await conversations.list(c.req.valid('query'))
      return c.json({ items, next })
    })
    .get('/about', async (c) =>
      c.json({ counts: await conversations.history.counts(), tags: await conversations.tags.all() }),
    )
    .get(
      '/search',
      checked('query', z.object({ query: z.string().trim().min(1).max(4_000), tag: Tag.optional() })),
      async (c) => {
        const { query, tag } = c.req.valid('query')
        const found = await conversations.search(query, {
          ...(tag !== undefined && { tags: [tag] }),
          signal: c.req.raw.signal,
        })
        return c.json({ ...found, results: found.results.map(shortened) })
      },
    )
    .get('/conversation', checked('query', z.object({ id: foreignId, from })), async (c) => {
      const { id, ...page } = c.req.valid('query')
      return c.json(await conversations.read(id, page))
    })
    .delete('/conversation', checked('query', z.object({ id: foreignId })), async (c) => {
      const { id } = c.req.valid('query')
      await conversations.forget(id)
      return c.json({ forgotten: id })
    })
    .post('/sharing', checked('json', z.object({ id: foreignId, shared: z.boolean() })), async (c) => {
      const { id, shared } = c.req.valid('json')
      await conversations.sharing[shared ? 'share' : 'unshare']([id])
      return c.json({ id, shared })
    })
    .get('/exchange', checked('query', z.object({ id: foreignId, from })), async (c) => {
      const { id, ...page } = c.req.valid('query')
      return c.json(await conversations.readExchange(id, page))
    })
    .post('/tags', checked('json', z.object({ id: foreignId, tag: Tag })), async (c) => {
      const { id, tag } = c.req.valid('json')
      return c.json({ tags: await conversations.tags.add(id, tag) })
    })
    .delete('/tags', checked('query', z.object({ id: foreignId, tag: Tag })), async (c) => {
      const { id, tag } = c.req.valid('query')
      return c.json({ tags: await conversations.tags.remove(id, tag) })
    })
    .post('/votes', checked('json', z.object({ id: foreignId, vote: z.enum(['up', 'down']) })), async (c) => {
      const { id, vote } = c.req.valid('json')
      return c.json(await conversations.votes.cast(id, vote === 'up' ? 1 : -1))
    })
}

/** A message may be as long as a book; in a list of what was found its beginning will do. */
function shortened<Found extends { exchange: { userMessage: string; assistantMessage: string } }>(
  found: Found,
): Found {
  const { userMessage, assistantMessage } = found.exchange
  const exchange = {
    ...found.exchange,
    userMessage: oneLine(userMessage, SHOWN_CHARACTERS),
    assistantMessage: oneLine(assistantMessage, SHOWN_CHARACTERS),
  }
  return { ...found, exchange }
}
