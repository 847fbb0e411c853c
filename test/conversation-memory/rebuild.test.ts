import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EXCHANGES, SUMMARIES } from '../../src/conversation-memory/documents.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { RalphError } from '../../src/errors.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import { meaningEmbedder } from './meaning.ts'
import { never, type Opened, openTestConversations, type TestOptions } from './open.ts'
import { talk } from './working.ts'

const LONG = 2_600
const QUESTIONS = ['fix problem 3 in the parser', 'all tests pass', 'problem 11', 'parser tests']

/** What searches find, and how strongly; what the index itself says of each, too. */
async function answers({ conversations, index }: Opened): Promise<unknown[]> {
  const all: unknown[] = []
  for (const text of QUESTIONS) {
    const { results } = await conversations.search(text, { limit: 8, minSimilarity: 0 })
    const evidence = await index.search(EXCHANGES, { text, limit: 20 })
    const byWords = evidence.map(({ payload, bm25 }) => [String(payload['exchange']), bm25] as const)
    all.push({
      found: results.map(({ exchange, similarity }) => [exchange.id, similarity]),
      byWords: byWords.sort(([a], [b]) => (a < b ? -1 : 1)),
    })
  }
  return all
}

/** Searches of the index as it has come to be, and of one built from the same history at once. */
async function expectTheSameAgain(opened: Opened): Promise<void> {
  const { conversations, index } = opened
  await conversations.workers.runOnce(never)
  const found = await answers(opened)
  for (const name of [EXCHANGES, SUMMARIES]) await index.drop(name)
  await conversations.workers.runOnce(never)
  expect(await answers(opened)).toEqual(found)
}

const withoutEmbedder = {
  embedder: () => Promise.reject(new RalphError('unavailable', 'there is none')),
}

/** More exchanges than are made findable at a time, and their index lost. */
async function longHistory(more: TestOptions = {}): Promise<Opened> {
  const opened = await openTestConversations({ ...withoutEmbedder, ...more })
  const lines = Array.from({ length: LONG }, (_, at) =>
    JSON.stringify({
      ...{
        exchange_id: `e-${at}`,
        conversation_id: `c-${at % 40}`,
        user_message: `Why word${at}x other${at}y?`,
      },
      assistant_message: `Because of number${at}z.`,
    }),
  )
  const file = join(opened.folder, 'history.jsonl')
  await writeFile(file, lines.join('\n'))
  await opened.conversations.importJsonl(file)
  await opened.index.drop(EXCHANGES)
  return opened
}

async function found({ conversations }: Opened, at: number): Promise<string[]> {
  const { results } = await conversations.search(`word${at}x other${at}y`, { limit: 5 })
  return results.map(({ exchange }) => exchange.id)
}

describe('a long history whose index is lost', () => {
  it('is found as a whole by the first who asks', async () => {
    const opened = await longHistory({ levelWithinMs: 60_000 })
    expect(await found(opened, LONG - 1)).toEqual([`e-${LONG - 1}`])
    expect(opened.notices.map(({ key }) => key)).not.toContain('conversations.catching_up')
  })

  it('is made findable by the workers where there is no embedder, and what is not is said', async () => {
    const opened = await longHistory({ levelWithinMs: 0 })
    expect(await found(opened, LONG - 1)).toEqual([])
    expect(opened.notices).toContainEqual(
      expect.objectContaining({
        key: 'conversations.catching_up',
        message: `${LONG - 1_000} exchanges are not searchable yet: each search goes on with them`,
      }),
    )
    await opened.conversations.workers.runOnce(never, ['embedding'])
    expect(await found(opened, LONG - 1)).toEqual([`e-${LONG - 1}`])
  })
})

describe('a database that was replaced by an earlier one', () => {
  it('is noticed by its index, which begins anew: what is written next is found, by meaning too', async () => {
    const before = await openTestConversations()
    await talk(before.conversations, 6)
    const copy = join(before.folder, 'backup.db')
    await sql`vacuum into ${sql.lit(copy)}`.execute(before.storage.db)
    await talk(before.conversations, 9, 'lost')
    await before.conversations.workers.runOnce(never)
    const storage = await openSqliteStorage({ path: copy })
    onTestFinished(() => storage.close())
    const after = await before.again({ storage, index: before.index })
    await after.conversations.record({
      ...{
        conversationId: 'new',
        id: 'new-1',
        userMessage: 'Which zebra?',
        assistantMessage: 'The striped one.',
      },
    })
    await after.conversations.workers.runOnce(never)
    expect(after.notices.map(({ key }) => key)).toContain('storage.older_than_index')
    const { results } = await after.conversations.search('zebra', { limit: 3 })
    expect(results[0]?.exchange.id).toBe('new-1')
    const made = await after.index.read(EXCHANGES, { after: '', limit: 100 })
    expect(made.map(({ payload, hasVector }) => [payload['conversation'], hasVector]).sort()).toEqual([
      ...Array.from({ length: 6 }, () => ['c', true]),
      ['new', true],
    ])
  })
})

describe('an index that is built again', () => {
  it('finds the same where exchanges were embedded before they were summarised', async () => {
    const opened = await openTestConversations()
    await talk(opened.conversations, 12)
    await opened.conversations.workers.runOnce(never, ['embedding'])
    await expectTheSameAgain(opened)
  })

  it('finds the same of many that are alike, whichever of them was embedded first', async () => {
    const opened = await openTestConversations()
    const { conversations, index } = opened
    const say = (number: number) =>
      conversations.record({
        ...{ conversationId: `c-${number % 7}`, id: `e-${number}` },
        ...{ userMessage: 'Fix the problem in the parser.', assistantMessage: 'All tests pass now.' },
      })
    for (let number = 40; number > 0; number--) {
      await say(number)
      if (number % 13 === 0) await conversations.workers.runOnce(never, ['embedding'])
      if (number % 17 === 0) await conversations.workers.runOnce(never, ['exchange'])
    }
    await conversations.workers.runOnce(never)
    const few = { text: 'parser tests', limit: 5 }
    const found = await index.search(EXCHANGES, few)
    expect(found.length).toBeLessThan(40)
    const before = new Set(found.map(({ id }) => id))
    await expectTheSameAgain(opened)
    expect(new Set((await index.search(EXCHANGES, few)).map(({ id }) => id))).toEqual(before)
  })

  it('finds the same without an embedder', async () => {
    const opened = await openTestConversations(withoutEmbedder)
    await talk(opened.conversations, 12)
    await answers(opened)
    await expectTheSameAgain(opened)
  })

  it('finds the same where summaries came while somebody embedded who was stopped then', async () => {
    const other = await openTestConversations()
    await talk(other.conversations, 12)
    const embedder = meaningEmbedder()
    const summarised: number[] = []
    const slow: Embedder = {
      ...embedder,
      embed: async (...given) => {
        const vectors = await embedder.embed(...given)
        // What is being embedded is left to whoever does that.
        if (summarised.length === 0)
          summarised.push((await other.conversations.workers.runOnce(never)).exchange)
        return vectors
      },
    }
    const stopping = new AbortController()
    const index: SearchIndex = {
      ...other.index,
      write: async (collection, change, signal) => {
        await other.index.write(collection, change, signal)
        if (collection.name === EXCHANGES && change.put?.some(({ vector }) => vector)) stopping.abort()
      },
    }
    const stopped = await other.again({ embedder: async () => slow, index })
    await stopped.conversations.workers.runOnce(stopping.signal, ['embedding'])
    expect({ summarised, isStopped: stopping.signal.aborted }).toEqual({ summarised: [12], isStopped: true })
    await expectTheSameAgain(other)
  })
})
