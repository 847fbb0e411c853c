import { describe, expect, it } from 'vitest'
import { EXCHANGES, SUMMARIES } from '../../src/conversation-memory/documents.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { RalphError } from '../../src/errors.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { meaningEmbedder } from './meaning.ts'
import { never, type Opened, openTestConversations } from './open.ts'
import { talk } from './working.ts'

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
    const opened = await openTestConversations({
      embedder: () => Promise.reject(new RalphError('unavailable', 'there is none')),
    })
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
