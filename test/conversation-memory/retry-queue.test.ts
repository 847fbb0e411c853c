import { describe, expect, it, onTestFinished } from 'vitest'
import type { ConversationsOptions } from '../../src/conversation-memory/conversations.ts'
import { RalphError } from '../../src/errors.ts'
import { openPostgresStorage } from '../../src/storage/postgres.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { meaningEmbedder } from './meaning.ts'
import { never, openTestConversations } from './open.ts'
import { standingClock, talk } from './working.ts'

const STORAGES: [name: string, open: () => Promise<Partial<ConversationsOptions>>][] = [
  ['SQLite', async () => ({})],
  [
    'PostgreSQL',
    async () => {
      const { url, remove } = await temporaryDatabase()
      onTestFinished(remove)
      return { storage: await openPostgresStorage({ url }) }
    },
  ],
]

/** Three exchanges that cannot be embedded: given up at once. */
async function givenUp(more: Partial<ConversationsOptions>) {
  const { clock } = standingClock()
  const embedder = meaningEmbedder()
  const { embed } = embedder
  embedder.embed = async () => {
    throw new RalphError('invalid_input', 'cannot embed this')
  }
  const { conversations } = await openTestConversations({
    ...{ clock, embedder: async () => embedder },
    ...more,
  })
  await conversations.workers.enable('conversation', false)
  await conversations.settings.write('embeddingMaxRetries', 0)
  await talk(conversations, 3)
  await conversations.workers.runOnce(never)
  const mend = () => {
    embedder.embed = embed
  }
  return { conversations, workers: conversations.workers, embedder, mend }
}

describe.each(STORAGES)('what workers could not do, on %s,', (_name, open) => {
  it('is listed page by page and counted', async () => {
    const { workers } = await givenUp(await open())
    const first = await workers.queue({ limit: 2 })
    expect(first.items).toMatchObject([
      { worker: 'embedding', itemId: 'exchange:c-0', givenUp: true, problem: 'cannot embed this' },
      { worker: 'embedding', itemId: 'exchange:c-1' },
    ])
    const second = await workers.queue({ limit: 2, after: first.next })
    expect(second.items).toMatchObject([{ itemId: 'exchange:c-2' }])
    expect(second).not.toHaveProperty('next')
    expect((await workers.status('embedding')).queue).toEqual({ retrying: 0, givenUp: 3, cleared: 0 })
    for (const after of ['x', '[]', '[2,"a","b"]']) {
      await expect(workers.queue({ after })).rejects.toMatchObject({ code: 'invalid_input' })
    }
  })

  it('comes back one by one, or all together', async () => {
    const { workers, embedder, mend } = await givenUp(await open())
    mend()
    expect(await workers.retry({ worker: 'embedding', itemId: 'exchange:c-1' })).toBe(1)
    expect(await workers.retry({ worker: 'embedding', itemId: 'exchange:nobody' })).toBe(0)
    await workers.runOnce(never)
    expect(embedder.embedded).toHaveLength(1)
    expect(await workers.retry()).toBe(2)
    await workers.runOnce(never)
    expect((await workers.queue()).items).toEqual([])
    expect(await workers.embeddings()).toMatchObject({ exchange: { embedded: 3, waiting: 0 } })
  })

  it('can be taken off the list: still not embedded, still brought back by a retry', async () => {
    const { workers, mend } = await givenUp(await open())
    expect(await workers.clear()).toBe(3)
    expect(await workers.clear()).toBe(0)
    expect((await workers.queue()).items).toEqual([])
    expect(await workers.status('embedding')).toMatchObject({
      failures: [],
      queue: { retrying: 0, givenUp: 0, cleared: 3 },
    })
    expect(await workers.embeddings()).toMatchObject({ exchange: { embedded: 0, waiting: 3 } })
    mend()
    await workers.runOnce(never)
    expect(await workers.embeddings()).toMatchObject({ exchange: { embedded: 0 } })
    expect(await workers.retry()).toBe(3)
    await workers.runOnce(never)
    expect(await workers.embeddings()).toMatchObject({ exchange: { embedded: 3, waiting: 0 } })
  })
})
