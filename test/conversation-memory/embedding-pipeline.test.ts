import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { countOf } from '../search-index/documents.ts'
import { meaningEmbedder } from './meaning.ts'
import { never, openTestConversations } from './open.ts'
import { standingClock, talk } from './working.ts'

describe('the embedding pipeline', () => {
  it('embeds in batches, and nothing twice', async () => {
    const embedder = meaningEmbedder()
    const { conversations } = await openTestConversations({ embedder: async () => embedder })
    await talk(conversations, 7)
    await conversations.settings.writeText('embedding_batch_size', '3')
    await conversations.workers.runOnce(never)
    expect(embedder.embedded).toHaveLength(8)
    await conversations.tags.add('c', 'x')
    await conversations.verifyEmbeddings()
    await conversations.workers.runOnce(never)
    expect(embedder.embedded).toHaveLength(8)
  })

  it('tries again after 1, 2, 4, 8, 16 and 32 seconds, gives up, and comes back on request', async () => {
    const { clock, forward } = standingClock()
    const embedder = meaningEmbedder()
    const { conversations } = await openTestConversations({ clock, embedder: async () => embedder })
    await talk(conversations, 1)
    await conversations.workers.enable('conversation', false)
    await conversations.workers.runOnce(never, ['exchange'])
    const down = new RalphError('unavailable', 'the service is down', { retryable: true })
    const attempt = async () => {
      embedder.trouble = [down]
      await conversations.workers.runOnce(never, ['embedding'])
      const [failure] = (await conversations.workers.status('embedding')).failures
      return failure!
    }
    for (const [index, wait] of [1, 2, 4, 8, 16, 32].entries()) {
      const failure = await attempt()
      expect(failure).toMatchObject({ attempts: index + 1, givenUp: false, problem: 'the service is down' })
      expect(failure.nextTry.getTime() - clock().getTime()).toBe(wait * 1_000)
      // Not before its time.
      forward(wait - 0.5)
      embedder.trouble = []
      await conversations.workers.runOnce(never, ['embedding'])
      expect(embedder.embedded).toEqual([])
      forward(0.5)
    }
    expect(await attempt()).toMatchObject({ attempts: 7, givenUp: true })
    forward(3_600)
    embedder.trouble = []
    await conversations.workers.runOnce(never, ['embedding'])
    expect(embedder.embedded).toEqual([])
    expect((await conversations.workers.status('embedding')).totals.failed).toBe(1)

    expect(await conversations.workers.retry()).toBe(1)
    await conversations.workers.runOnce(never, ['embedding'])
    expect(embedder.embedded).toHaveLength(1)
    expect((await conversations.workers.status('embedding')).failures).toEqual([])
  })

  it('waits as long as a service asked for', async () => {
    const { clock } = standingClock()
    const embedder = meaningEmbedder()
    const { conversations } = await openTestConversations({ clock, embedder: async () => embedder })
    await talk(conversations, 1)
    await conversations.workers.runOnce(never, ['exchange'])
    embedder.trouble = [new RalphError('unavailable', '429', { retryable: true, retryAfterMs: 45_000 })]
    await conversations.workers.runOnce(never, ['embedding'])
    const [failure] = (await conversations.workers.status('embedding')).failures
    expect(failure!.nextTry.getTime() - clock().getTime()).toBe(45_000)
  })

  it('stores a batch whole or not at all, and a bad text does not take the others along for good', async () => {
    const { clock, forward } = standingClock()
    const embedder = meaningEmbedder()
    const poison = 'problem 1'
    const embed = embedder.embed
    embedder.embed = async (texts, kind, signal) => {
      if (texts.some((text) => text.includes(poison)))
        throw new RalphError('invalid_input', 'cannot embed this')
      return embed(texts, kind, signal)
    }
    const { conversations, index } = await openTestConversations({ clock, embedder: async () => embedder })
    await talk(conversations, 3)
    await conversations.workers.enable('conversation', false)
    await conversations.workers.runOnce(never)
    expect(embedder.embedded).toEqual([])
    expect((await conversations.workers.status('embedding')).failures).toHaveLength(3)
    for (let round = 0; round < 8; round++) {
      forward(60)
      await conversations.workers.runOnce(never)
    }
    const { failures } = await conversations.workers.status('embedding')
    expect(failures).toMatchObject([{ itemId: 'exchange:c-1', givenUp: true }])
    expect(await conversations.workers.embeddings()).toMatchObject({ exchange: { embedded: 2, waiting: 1 } })
    expect(await countOf(index, 'conversation-exchanges')).toBe(3)
  })

  it('finds damaged vectors, drops them and makes them again', async () => {
    const embedder = meaningEmbedder()
    const { conversations, folder, notices } = await openTestConversations({
      embedder: async () => embedder,
    })
    await talk(conversations, 4)
    await conversations.workers.runOnce(never)
    const made = embedder.embedded.length
    const database = new DatabaseSync(join(folder, 'index.db'))
    const rows = database.prepare('select document from vectors order by document').all() as {
      document: number
    }[]
    const damage = database.prepare('update vectors set steps = ? where document = ?')
    damage.run(new Uint8Array(7), rows[0]!.document)
    damage.run(new Uint8Array(new Int16Array(64).fill(7).buffer), rows[1]!.document)
    database.prepare('delete from vectors where document = ?').run(rows[2]!.document)
    database.close()
    // Half an index is worse than none: searching goes on by words, and all of it is made again.
    expect((await conversations.search('parser problem')).results).toHaveLength(4)
    expect(notices.map(({ message }) => message).join()).toContain('was damaged')
    await conversations.verifyEmbeddings()
    await conversations.workers.runOnce(never)
    const documents = embedder.embedded.slice(0, made)
    expect(embedder.embedded.slice(made)).toEqual(expect.arrayContaining(documents))
    const { results } = await conversations.search('parser')
    expect(results.every(({ matched }) => matched.includes('meaning'))).toBe(true)
  })

  it('begins anew when the whole index is lost or made by another model', async () => {
    const { conversations, index, again } = await openTestConversations()
    await talk(conversations, 3)
    await conversations.workers.runOnce(never)
    await index.drop('conversation-exchanges')
    const other = meaningEmbedder('test:another-model')
    const later = await again({ embedder: async () => other })
    expect((await later.conversations.search('parser')).results).toHaveLength(3)
    expect(later.notices.map(({ message }) => message).join()).toContain('model changed')
    await later.conversations.workers.runOnce(never)
    expect(other.embedded).toHaveLength(4)
  })

  it('says that it waits for the embedder, and goes on when it is back', async () => {
    const embedder = meaningEmbedder()
    let up = false
    const { conversations, notices } = await openTestConversations({
      embedder: async () => {
        if (up) return embedder
        throw new RalphError('unavailable', 'Ollama cannot be reached', { hint: 'ollama serve' })
      },
    })
    await talk(conversations, 2)
    await conversations.workers.runOnce(never)
    expect((await conversations.workers.status('embedding')).problem).toContain('embedder')
    expect(notices).toMatchObject([{ key: 'embedder', hint: 'ollama serve' }])
    expect((await conversations.search('parser')).wordsOnly).toBe(true)
    up = true
    await conversations.workers.runOnce(never)
    expect(await conversations.workers.embeddings()).toMatchObject({ exchange: { embedded: 2, waiting: 0 } })
    expect((await conversations.search('parser')).wordsOnly).toBe(false)
  })

  it('deletes and makes again on request', async () => {
    const embedder = meaningEmbedder()
    const { conversations } = await openTestConversations({ embedder: async () => embedder })
    await talk(conversations, 2)
    await conversations.workers.runOnce(never)
    await conversations.workers.rebuild(['exchange'])
    expect(await conversations.workers.embeddings()).toMatchObject({
      exchange: { embedded: 0, waiting: 2 },
      conversation: { embedded: 1, waiting: 0 },
    })
    // Words are there at once.
    expect((await conversations.search('parser')).results).toHaveLength(2)
    await conversations.workers.runOnce(never)
    expect(embedder.embedded).toHaveLength(5)
  })
})
