import { describe, expect, it } from 'vitest'
import { runShared } from '../../src/chat/slash.ts'
import { ConversationSettings } from '../../src/conversation-memory/settings.ts'
import { never, openTestConversations, type TestOptions } from '../conversation-memory/open.ts'
import { SOMEBODY } from '../support/person.ts'

async function opened(options: TestOptions = {}) {
  const { conversations, storage, again } = await openTestConversations(options)
  for (let number = 0; number < 3; number++) {
    await conversations.record({
      conversationId: 'c',
      id: `e${number}`,
      userMessage: `Why does deployment ${number} fail?`,
      assistantMessage: `The port of deployment ${number} was taken. Fixed now.`,
      messages: [{ role: 'tool_call', toolName: 'Bash', content: 'lsof -i :8080' }],
    })
  }
  const run = async (...words: string[]) => {
    const result = await runShared(words, { conversations, onProgress: () => undefined, signal: never })
    return { ...result, text: result.text((_, text) => text) }
  }
  return { conversations, storage, again, run }
}

describe('settings', () => {
  it('have the defaults that are documented', async () => {
    const { conversations } = await opened()
    expect(await conversations.settings.read()).toEqual({
      ragEnabled: true,
      ragConversationLimit: 3,
      ragExchangeLimitPerConversation: 2,
      ragMinSimilarity: 0.7,
      ragTemporalDecay: 0,
      ragOnlyTags: [],
      ragNeverTags: [],
      summarizerConversationEnabled: true,
      summarizerExchangeEnabled: true,
      embeddingPipelineEnabled: true,
      summarizerIdleTimeout: 30,
      embeddingPipelinePollInterval: 5,
      embeddingBatchSize: 100,
      embeddingMaxRetries: 6,
      minMessagesForExchangeSummary: 1,
      minExchangesForConversationSummary: 1,
    })
  })

  it('are kept, for other processes too', async () => {
    const { run, again } = await opened()
    expect((await run('rag', 'set', 'rag_conversation_limit', '5')).text).toBe(
      'rag_conversation_limit is now 5',
    )
    await run('rag', 'off')
    const later = await again()
    expect(await later.conversations.settings.read()).toMatchObject({
      ragConversationLimit: 5,
      ragEnabled: false,
    })
  })

  it.each([
    ['rag_conversation_limit', '0', 'must be above 0'],
    ['rag_conversation_limit', '2.5', 'must be a whole number'],
    ['rag_exchange_limit_per_conversation', '-1', 'must be above 0'],
    ['rag_min_similarity', '1.1', 'must be from 0 to 1'],
    ['rag_min_similarity', 'high', 'must be a number from 0 to 1'],
    ['rag_enabled', 'perhaps', 'must be on or off'],
    ['embedding_batch_size', '0', 'must be above 0'],
  ])('refuse %s %s', async (key, value, message) => {
    const { run, conversations } = await opened()
    await expect(run('rag', 'set', key, value)).rejects.toThrow(message)
    expect(await conversations.settings.read()).toEqual(ConversationSettings.parse({}))
  })

  it('say which there are when one does not exist', async () => {
    const { run } = await opened()
    await expect(run('rag', 'set', 'rag_limit', '3')).rejects.toMatchObject({
      hint: expect.stringContaining('rag_conversation_limit'),
    })
  })

  it('fall back to the default when the store holds nonsense', async () => {
    const { conversations, again } = await opened()
    const { storage } = await again()
    await storage.db
      .insertInto('settings')
      .values([
        { key: 'conversations.rag_min_similarity', value: '{broken', updated_at: 0 },
        { key: 'conversations.rag_conversation_limit', value: '-4', updated_at: 0 },
        { key: 'conversations.from_the_future', value: '1', updated_at: 0 },
      ])
      .execute()
    expect(await conversations.settings.read()).toEqual(ConversationSettings.parse({}))
  })
})

describe('commands', () => {
  it('show status with counts, settings and the last retrieval', async () => {
    const { run, conversations } = await opened()
    expect((await run('rag')).text).toMatch(/Retrieval: ON[\s\S]*3 exchanges[\s\S]*Last retrieval: none yet/)
    await conversations.workers.runOnce(never)
    await conversations.retrieve('deployment port taken')
    const { text, data } = await run('rag')
    expect(text).toMatch(
      /1 conversation summary, 3 exchanges \(4 vectors\)[\s\S]*Last retrieval: .*1 conversation, 2 exchanges, \d+ ms/,
    )
    expect(data).toMatchObject({ enabled: true, lastRetrieval: { conversations: 1 } })
    expect((await run('summarizer')).text).toMatch(
      /Conversation summarizer.*[\s\S]*Exchange summarizer.*[\s\S]*extraction/,
    )
    expect((await run('workers')).data).toMatchObject({
      workers: [{ worker: 'conversation' }, {}, {}],
      spend: { workers: { spentUsd: 0 }, lines: [] },
    })
  })

  it('switch the workers one by one or together', async () => {
    const { run, conversations } = await opened()
    const on = async () => {
      const { summarizerConversationEnabled, summarizerExchangeEnabled, embeddingPipelineEnabled } =
        await conversations.settings.read()
      return [summarizerConversationEnabled, summarizerExchangeEnabled, embeddingPipelineEnabled]
    }
    await run('summarizer', 'off')
    expect(await on()).toEqual([false, false, true])
    await run('summarizer', 'exchange', 'on')
    expect(await on()).toEqual([false, true, true])
    await run('embeddings', 'off')
    expect(await on()).toEqual([false, true, false])
    expect((await run('embeddings')).text).toContain('Embedding pipeline: OFF')
  })

  it('warn when summaries wait and the pipeline is off', async () => {
    const { run, conversations } = await opened()
    await conversations.workers.runOnce(never, ['exchange', 'conversation'])
    expect((await run('embeddings')).text).not.toContain('pipeline is off')
    expect((await run('embeddings', 'off')).text).toContain(
      '4 items wait for embedding, and the pipeline is off',
    )
  })

  it('say what was spent, of how much, and when it begins anew', async () => {
    const { run, storage } = await opened({
      limits: { workersUsd: 0.5 },
      clock: () => new Date('2026-11-17'),
    })
    expect((await run('spend')).text).toBe(
      'Spent in November 2026 on summaries and embeddings: $0.00 of at most $0.50; begins anew on 2026-12-01 (UTC)',
    )
    const row = { person: SOMEBODY.id, calls: 2, input_tokens: 1_000, output_tokens: 50, unpriced_calls: 0 }
    const summaries = { ...row, purpose: 'summaries' as const, model: 'openai:m', estimated_usd: 0.02 }
    const chat = { ...row, purpose: 'chat' as const, model: 'openai:m', usd: 0.5, estimated_usd: 0 }
    await storage.db
      .insertInto('spend')
      .values([
        { ...summaries, month: '2026-11', usd: 0.12 },
        { ...summaries, month: '2026-10', usd: 0.4 },
        { ...chat, month: '2026-11' },
      ])
      .execute()
    const { text, data } = await run('spend')
    expect(text).toContain('$0.12 of at most $0.50 ($0.02 of it estimated); begins anew on 2026-12-01 (UTC)')
    expect(text).toContain('Spent in November 2026 on the chat: $0.50')
    expect(text).not.toContain('2026-10')
    expect(data).toMatchObject({ beginsAnew: '2026-12-01T00:00:00.000Z', lines: [{}, {}] })
    expect((await run('spend', '--all')).text).toContain('2026-10')
  })

  it('say what a rebuild deletes and costs, and do nothing before "yes"', async () => {
    const { run, conversations } = await opened()
    await conversations.workers.runOnce(never)
    const asked = await run('embeddings', 'rebuild', 'exchanges')
    expect(asked.confirm?.question).toMatch(/deletes 3 vectors[\s\S]*3 exchanges[\s\S]*about \$0\.00/)
    expect(await conversations.workers.embeddings()).toMatchObject({ exchange: { embedded: 3 } })
    await asked.confirm!.go()
    expect(await conversations.workers.embeddings()).toMatchObject({
      exchange: { embedded: 0, waiting: 3 },
      conversation: { embedded: 1 },
    })
  })

  it.each([
    ['rag', 'sideways'],
    ['rag', 'set', 'rag_enabled'],
    ['rag', 'upvote'],
    ['summarizer', 'conversation', 'maybe'],
    ['summarizer', 'both'],
    ['embeddings', 'rebuild', 'everything'],
    ['embeddings', 'on', 'now'],
    ['search'],
    ['tag', 'add'],
    ['tag', 'add', 'x'],
    ['export'],
    ['import', '--format', 'jsonl'],
    ['search', 'x', '--limit', '0'],
    ['workers', 'dance'],
  ])('%s %s %s: say how they are used', async (...words) => {
    const { run } = await opened()
    await expect(run(...words)).rejects.toMatchObject({ hint: expect.stringContaining('Usage: ') })
  })
})
