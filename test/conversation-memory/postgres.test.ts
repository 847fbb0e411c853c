import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgresStorage } from '../../src/storage/postgres.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { never, openTestConversations } from './open.ts'

/** The same history for a team: everything above storage is the same code, so one walk through all of it will do. */
it('works on PostgreSQL as on SQLite, with an index of each person', async () => {
  const { url, remove } = await temporaryDatabase()
  onTestFinished(remove)
  const ann = await openTestConversations({ storage: await openPostgresStorage({ url }) })
  const path = join(ann.folder, 'history.jsonl')
  const lines = Array.from({ length: 30 }, (_, number) =>
    JSON.stringify({
      conversation_id: `c${number % 3}`,
      exchange_id: `e${number}`,
      user_message: `How do we fix problem ${number}?`,
      assistant_message: number === 7 ? 'Raise the timeout in the database pool.' : 'We wait.',
      started_at: new Date(Date.UTC(2026, 2, 1 + number)).toISOString(),
    }),
  )
  await writeFile(path, lines.join('\n'))
  expect((await ann.conversations.importJsonl(path)).exchanges).toMatchObject({ added: 30 })
  expect((await ann.conversations.importJsonl(path)).exchanges).toMatchObject({ unchanged: 30 })
  expect(await ann.conversations.history.counts()).toEqual({ conversations: 3, exchanges: 30 })
  const [first, second] = await ann.conversations.history.list({ limit: 2 })
  expect(
    (await ann.conversations.history.list({ limit: 2, after: second! })).map(({ id }) => id),
  ).not.toContain(first!.id)
  const page = await ann.conversations.list({ limit: 2 })
  expect((await ann.conversations.list({ limit: 2, after: page.next })).conversations).toMatchObject([
    { tags: [] },
  ])
  expect(await ann.conversations.read('c1', { from: 8 })).toMatchObject({ exchanges: [{ steps: 0 }, {}] })
  expect(await ann.conversations.readExchange('e7')).toMatchObject({ stepCount: 0, steps: [] })

  const bob = await openTestConversations({ storage: await openPostgresStorage({ url }) })
  const done = await Promise.all([ann, bob].map(({ conversations }) => conversations.workers.runOnce(never)))
  expect(done[0]!.exchange + done[1]!.exchange).toBe(30)
  for (const { conversations } of [ann, bob]) {
    await conversations.workers.runOnce(never)
    expect(await conversations.workers.embeddings()).toMatchObject({ exchange: { embedded: 30, waiting: 0 } })
    const { results } = await conversations.search('postgres pool stalls', { limit: 3 })
    expect(results[0]?.exchange.id).toBe('e7')
  }
  await bob.conversations.tags.add('c1', 'Debugging')
  await bob.conversations.votes.cast('e7', 1)
  expect(await ann.conversations.tags.carriersOf(['debugging'])).toEqual(['c1'])
  expect((await ann.conversations.history.exchange('e7'))?.votes).toBe(1)
  expect((await ann.conversations.workers.status('exchange')).totals.completed).toBe(30)
  await ann.conversations.forget('c1')
  expect(await bob.conversations.history.counts()).toEqual({ conversations: 2, exchanges: 20 })
})
