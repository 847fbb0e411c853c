import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Conversations } from '../../src/conversation-memory/conversations.ts'
import type { WorkerName } from '../../src/conversation-memory/workers/workers.ts'
import { RalphError } from '../../src/errors.ts'
import { openAiModel } from '../../src/language-model/openai.ts'
import { promptedSummariser } from '../../src/language-model/prompted.ts'
import { countOf } from '../search-index/documents.ts'
import { type ModelService, startModelService } from '../stand-ins/model-service.ts'
import { openAiChat } from '../stand-ins/openai-chat.ts'
import { meaningEmbedder } from './meaning.ts'
import { never, openTestConversations } from './open.ts'

async function talk(conversations: Conversations, count: number, conversationId = 'c'): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const { exchangeId } = await conversations.record({
      conversationId,
      id: `${conversationId}-${number}`,
      userMessage: `Please fix problem ${number} in the parser.`,
      assistantMessage: `I fixed problem ${number}. All tests pass.`,
      startedAt: new Date(Date.UTC(2026, 0, 1, 0, number)),
    })
    ids.push(exchangeId)
  }
  return ids
}

/** A clock that stands still until it is moved. */
function standingClock(start = Date.UTC(2026, 5, 1)) {
  let now = start
  return {
    clock: () => new Date(now),
    forward: (seconds: number) => {
      now += seconds * 1_000
    },
  }
}

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (let wait = 0; wait < 400; wait++) {
    if (await condition()) return
    await sleep(25)
  }
  throw new Error(`did not happen: ${what}`)
}

describe('summarising without a model', () => {
  it('summarises exchanges and conversations and embeds the summaries', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 3)
    expect(await conversations.workers.runOnce(never)).toEqual({ exchange: 3, conversation: 1, embedding: 4 })
    const exchanges = await conversations.history.exchangesOf('c')
    expect(exchanges.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('fixed problem 0'),
      expect.stringContaining('fixed problem 1'),
      expect.stringContaining('fixed problem 2'),
    ])
    expect((await conversations.history.conversation('c'))?.summary).toContain('problem')
    expect(await conversations.workers.embeddings()).toEqual({
      conversation: { embedded: 1, waiting: 0 },
      exchange: { embedded: 3, waiting: 0 },
    })
    expect(await conversations.workers.runOnce(never)).toEqual({ exchange: 0, conversation: 0, embedding: 0 })
  })

  it('leaves the conversation alone in which somebody is talking', async () => {
    const { clock, forward } = standingClock()
    const { conversations } = await openTestConversations({ clock })
    await talk(conversations, 2, 'current')
    await talk(conversations, 1, 'past')
    await conversations.holdOpen('current')
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 1 })
    // A chat that has crashed does not let go; after a while it is taken for closed.
    forward(121)
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 2, conversation: 1 })
  })

  it('does not wait for a chat whose clock ran an hour ahead', async () => {
    const { clock, forward } = standingClock()
    const { conversations } = await openTestConversations({ clock })
    await talk(conversations, 1, 'current')
    forward(3_600)
    await conversations.holdOpen('current')
    forward(-3_600)
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 1 })
  })

  it('summarises again what has grown', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 1)
    await conversations.workers.runOnce(never)
    await conversations.record({
      conversationId: 'c',
      id: 'c-0',
      userMessage: 'Please fix problem 0 in the parser.',
      assistantMessage: 'I replaced the lexer. Everything works now.',
    })
    await conversations.workers.runOnce(never)
    const exchange = (await conversations.history.exchange('c-0'))!
    expect(exchange.summary).toContain('replaced the lexer')
    expect(await conversations.workers.embeddings()).toMatchObject({ exchange: { embedded: 1, waiting: 0 } })
  })

  it('keeps to the least number of messages and exchanges', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 1)
    await conversations.record({
      conversationId: 'long',
      userMessage: 'Do it',
      assistantMessage: 'Done.',
      messages: [
        { role: 'tool_call', content: 'ls', toolName: 'Bash' },
        { role: 'tool_result', content: 'a b', toolName: 'Bash' },
      ],
    })
    await conversations.settings.writeText('min_messages_for_exchange_summary', '4')
    await conversations.settings.writeText('min_exchanges_for_conversation_summary', '2')
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 0 })
    await conversations.settings.writeText('min_messages_for_exchange_summary', '1')
    await conversations.settings.writeText('min_exchanges_for_conversation_summary', '1')
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 2 })
  })
})

describe('running in the background', () => {
  const stateOf = async (conversations: Conversations, worker: WorkerName) =>
    (await conversations.workers.status(worker)).state

  it('works when signalled, rests when there is nothing, and stops', async () => {
    const { conversations, again } = await openTestConversations()
    expect(await stateOf(conversations, 'exchange')).toBe('stopped')
    conversations.workers.start()
    await until(async () => (await stateOf(conversations, 'exchange')) === 'idle', 'idle')
    // Long before its 30 seconds are over.
    await talk(conversations, 2)
    await until(async () => (await conversations.workers.embeddings()).exchange.embedded === 2, 'embedded')
    // Another process sees what is going on.
    const other = await again()
    expect((await other.conversations.workers.status('exchange')).state).not.toBe('stopped')
    expect((await other.conversations.workers.status('exchange')).totals.completed).toBe(2)
    await conversations.workers.stop()
    expect(await stateOf(other.conversations, 'exchange')).toBe('stopped')
  })

  it('does nothing while switched off, remembers that, and catches up when switched on', async () => {
    const { conversations, again } = await openTestConversations()
    await conversations.workers.enable('exchange', false)
    await conversations.workers.enable('conversation', false)
    await conversations.workers.enable('embedding', false)
    conversations.workers.start()
    await talk(conversations, 2)
    expect(await conversations.workers.runOnce(never)).toEqual({ conversation: 0, exchange: 0, embedding: 0 })
    expect((await conversations.history.exchange('c-0'))?.summary).toBeUndefined()
    await conversations.workers.stop()

    const later = await again()
    expect((await later.conversations.workers.status('exchange')).enabled).toBe(false)
    later.conversations.workers.start()
    await later.conversations.workers.enable('exchange', true)
    await until(
      async () => (await later.conversations.history.exchange('c-0'))?.summary !== undefined,
      'summary',
    )
    expect((await later.conversations.workers.status('embedding')).waiting).toBe(2)
  })

  it('embeds exchanges as they are when nobody summarises them', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 2)
    await conversations.workers.enable('exchange', false)
    await conversations.workers.runOnce(never)
    expect(await conversations.workers.embeddings()).toMatchObject({ exchange: { embedded: 2, waiting: 0 } })
  })
})

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
    const damage = database.prepare('update vectors set vector = ? where document = ?')
    damage.run(new Uint8Array(7), rows[0]!.document)
    damage.run(new Uint8Array(new Float32Array(64).fill(Number.NaN).buffer), rows[1]!.document)
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

describe('summarising with a model', () => {
  let service: ModelService
  beforeEach(async () => {
    service = await startModelService(openAiChat, {
      fallback: { say: 'A note on what was done.', tokens: { input: 1_000, output: 100 } },
    })
  })
  afterEach(() => service.close())

  const model = (prices = { 'test-model': { input: 1, output: 5 } } as object) =>
    promptedSummariser(
      openAiModel({
        model: 'test-model',
        apiKey: 'k',
        baseUrl: `${service.url}/v1`,
        maxRetries: 0,
        timeoutMs: 2_000,
        prices: prices as never,
      }),
    )

  it('keeps the summaries and counts what they cost', async () => {
    const { conversations } = await openTestConversations({ summariser: model() })
    await talk(conversations, 3)
    await conversations.workers.runOnce(never)
    expect((await conversations.history.exchange('c-1'))?.summary).toBe('A note on what was done.')
    const { totals } = await conversations.workers.status('exchange')
    expect(totals).toMatchObject({ completed: 3, inputTokens: 3_000, outputTokens: 300, unpricedCalls: 0 })
    expect(totals.spendUsd).toBeCloseTo(0.0045, 9)
    expect((await conversations.workers.spend()).spentUsd).toBeCloseTo(0.006, 9)
  })

  it('never spends more than the limit, says so, and goes on when it is raised', async () => {
    const { conversations, again } = await openTestConversations({ summariser: model(), maxSpendUsd: 0.02 })
    await talk(conversations, 30)
    await conversations.workers.runOnce(never)
    const { spentUsd } = await conversations.workers.spend()
    expect(spentUsd).toBeGreaterThan(0)
    expect(spentUsd).toBeLessThanOrEqual(0.02)
    const status = await conversations.workers.status('exchange')
    expect(status.problem).toMatch(/max_spend of \$0\.02 is reached.*Raise/)
    expect(status.failures).toEqual([])
    const raised = await again({ summariser: model(), maxSpendUsd: 1 })
    await raised.conversations.workers.runOnce(never)
    expect((await raised.conversations.workers.status('exchange')).waiting).toBe(0)
  })

  it('keeps the limit also when several processes spend at once', async () => {
    const { conversations, again } = await openTestConversations({ summariser: model(), maxSpendUsd: 0.03 })
    await talk(conversations, 40)
    const others = await Promise.all([again(), again()])
    await Promise.all(
      [conversations, ...others.map((other) => other.conversations)].map((one) => one.workers.runOnce(never)),
    )
    expect((await conversations.workers.spend()).spentUsd).toBeLessThanOrEqual(0.03)
    expect(service.requests.length * 0.0015).toBeLessThanOrEqual(0.03)
  })

  it('counts a call as spent whose worker died before it could say what it cost', async () => {
    const { clock, forward } = standingClock()
    const { conversations, storage } = await openTestConversations({
      summariser: model(),
      clock,
      maxSpendUsd: 1,
    })
    await talk(conversations, 1)
    const now = clock().getTime()
    const lost = {
      worker: 'exchange',
      item_id: 'c-0',
      attempts: 0,
      not_before: 0,
      given_up: 0 as const,
      problem: null,
    }
    await storage.db
      .insertInto('conversation_work')
      .values({ ...lost, lease_owner: 'elsewhere/1/x', lease_until: now + 30_000, reserved_usd: 0.25 })
      .execute()
    await conversations.workers.runOnce(never, ['exchange'])
    expect((await conversations.history.exchange('c-0'))?.summary).toBeUndefined()
    forward(31)
    await conversations.workers.runOnce(never, ['exchange'])
    expect((await conversations.history.exchange('c-0'))?.summary).toBe('A note on what was done.')
    expect((await conversations.workers.spend()).spentUsd).toBeCloseTo(0.2515, 6)
  })

  it('does not run a model of unknown price under a limit, and counts its calls without one', async () => {
    const limited = await openTestConversations({ summariser: model({}), maxSpendUsd: 1 })
    await talk(limited.conversations, 1)
    await limited.conversations.workers.runOnce(never)
    expect(service.requests).toHaveLength(0)
    expect((await limited.conversations.workers.status('exchange')).problem).toContain('price')

    const free = await openTestConversations({ summariser: model({}) })
    await talk(free.conversations, 1)
    await free.conversations.workers.runOnce(never)
    expect((await free.conversations.workers.status('exchange')).totals).toMatchObject({
      completed: 1,
      spendUsd: 0,
      unpricedCalls: 1,
    })
  })

  it.each([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['broken JSON', { broken: 'json' as const }],
    ['the wrong shape', { broken: 'shape' as const }],
    ['nothing', { say: '' }],
    ['silence', { slow: 3_000 }],
  ])('survives a service that answers with %s', async (_, behaviour) => {
    const { clock, forward } = standingClock()
    const { conversations } = await openTestConversations({ clock, summariser: model() })
    await talk(conversations, 1)
    await conversations.workers.enable('conversation', false)
    service.next(behaviour)
    await conversations.workers.runOnce(never)
    expect((await conversations.workers.status('exchange')).failures).toMatchObject([
      { attempts: 1, givenUp: false },
    ])
    forward(1)
    await conversations.workers.runOnce(never)
    expect((await conversations.history.exchange('c-0'))?.summary).toBe('A note on what was done.')
    expect((await conversations.workers.status('exchange')).failures).toEqual([])
  })

  it('does not hammer a service that is down', async () => {
    const { clock } = standingClock()
    service.fallback = { status: 503 }
    const { conversations } = await openTestConversations({ clock, summariser: model() })
    await talk(conversations, 40)
    await conversations.workers.enable('conversation', false)
    await conversations.workers.runOnce(never)
    expect(service.requests.length).toBeLessThanOrEqual(8)
  })

  it('never gives one item to two processes', async () => {
    service.fallback = (request) => ({
      slow: 5,
      afterwards: { say: `Note on ${JSON.stringify(request.body).match(/problem \d+/)?.[0]}` },
    })
    const { conversations, again } = await openTestConversations({ summariser: model() })
    await talk(conversations, 30)
    await conversations.workers.enable('conversation', false)
    const others = await Promise.all([again(), again(), again()])
    await Promise.all(
      [conversations, ...others.map((other) => other.conversations)].map((one) => one.workers.runOnce(never)),
    )
    const asked = service.requests.map(({ body }) => JSON.stringify(body).match(/problem \d+/)?.[0])
    expect(new Set(asked).size).toBe(30)
    expect(asked).toHaveLength(30)
  })

  it('gives back what it was working on when it is stopped', async () => {
    service.fallback = { slow: 10_000 }
    const { conversations, again } = await openTestConversations({ summariser: model() })
    await talk(conversations, 2)
    conversations.workers.start()
    await until(async () => service.requests.length >= 2, 'requests')
    await conversations.workers.stop()
    service.fallback = { say: 'A note.' }
    const other = await again()
    await other.conversations.workers.runOnce(never)
    expect((await other.conversations.history.exchange('c-0'))?.summary).toBe('A note.')
    expect((await other.conversations.workers.status('exchange')).failures).toEqual([])
  })
})
