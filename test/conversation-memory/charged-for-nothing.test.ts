import { describe, expect, it, onTestFinished } from 'vitest'
import { openAiModel } from '../../src/language-model/openai.ts'
import { promptedSummariser } from '../../src/language-model/prompted.ts'
import type { PaidCalls } from '../../src/services/paid-calls.ts'
import { type Behaviour, startModelService } from '../stand-ins/model-service.ts'
import { openAiCompatibleChat } from '../stand-ins/openai-chat.ts'
import { never, openTestConversations } from './open.ts'
import { standingClock, until } from './working.ts'

const PRICES = { 'test-model': { input: 1, output: 5 } }
const LONG = 'The parser loses the last line of a file without a newline at its end. '

/** Long exchanges, which are embedded with their summaries once they have any. */
async function start(fallback: Behaviour, { count = 3, workersUsd = 1 } = {}) {
  const service = await startModelService(openAiCompatibleChat, { fallback })
  onTestFinished(() => service.close())
  const { clock, forward } = standingClock()
  const summarisedBy = (calls: PaidCalls) =>
    promptedSummariser(
      openAiModel({
        model: 'test-model',
        apiKey: 'k',
        baseUrl: `${service.url}/v1`,
        limits: { startMs: 1_500, pauseMs: 1_500 },
        prices: PRICES,
        calls,
      }),
    )
  const opened = await openTestConversations({ summarisedBy, clock, limits: { workersUsd } })
  const { conversations } = opened
  for (let number = 0; number < count; number++)
    await conversations.record({
      conversationId: 'c',
      id: `c-${number}`,
      userMessage: `Please fix problem ${number}. ${LONG.repeat(9)}`,
      assistantMessage: `I fixed problem ${number}. ${LONG.repeat(9)}`,
    })
  await conversations.workers.enable('conversation', false)
  const spent = async () => (await conversations.spend()).workers
  return { ...opened, service, clock, forward, spent }
}

describe('a service that charges and says nothing', () => {
  it('is paid once for each, and sentences of the text stand in the place of its summaries', async () => {
    const nothing = { say: '', stop: 'length', tokens: { input: 500, output: 1_200 } } as const
    const { conversations, service, notices, spent, storage } = await start(nothing)
    for (let round = 0; round < 3; round++) await conversations.workers.runOnce(never)
    expect(service.billed).toBe(3)
    expect(await spent()).toMatchObject({ estimatedUsd: 0, spentUsd: expect.closeTo(3 * 0.0065, 9) })
    expect((await conversations.history.exchange('c-1'))?.summary).toMatch(/^Asked: Please fix problem 1/)
    const models = await storage.db.selectFrom('exchange_summaries').select('model').distinct().execute()
    expect(models).toEqual([{ model: 'extractive, for openai:test-model' }])
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatchObject({
      message: expect.stringMatching(/has given no summary \(all of its 1200 tokens went into thinking\)/),
      hint: expect.stringContaining('ralph config set language_model.reasoning_effort minimal'),
    })
  })

  it('is not asked for one after the other when it only takes the money', async () => {
    const { conversations, service } = await start(
      { say: '', tokens: { input: 5, output: 5 } },
      { count: 20 },
    )
    await conversations.workers.runOnce(never)
    expect(service.billed).toBe(4)
    expect((await conversations.workers.status('exchange')).problem).toContain('gives no summaries')
  })

  it.each([
    ['fails', { status: 500 }],
    ['breaks off', { say: 'one two three', live: { lostAfter: 2 } }],
    ['hangs', { slow: 5_000 }],
    ['talks nonsense', { broken: 'json' }],
  ] as [string, Behaviour][])('is counted when it %s, on the high side, and left alone', async (_, how) => {
    const { conversations, service, spent, forward } = await start(how, { count: 6 })
    for (let round = 0; round < 3; round++) {
      await conversations.workers.runOnce(never)
      forward(60)
    }
    expect(service.billed).toBeGreaterThanOrEqual(1)
    expect(service.billed).toBeLessThanOrEqual(6)
    const { spentUsd, estimatedUsd } = await spent()
    // Each of them may have written all that it was allowed to.
    expect(spentUsd).toBeGreaterThanOrEqual(service.billed * 1_200 * 5e-6)
    expect(estimatedUsd).toBeCloseTo(spentUsd, 9)
  })

  it('gets no more than the limit, whatever it does', async () => {
    const { conversations, service, spent, forward } = await start({ status: 500 }, { workersUsd: 0.03 })
    for (let round = 0; round < 12; round++) {
      await conversations.workers.runOnce(never)
      forward(120)
    }
    const { spentUsd } = await spent()
    expect(spentUsd).toBeLessThanOrEqual(0.03)
    expect(service.billed * 0.006).toBeLessThanOrEqual(0.03)
  })
})

describe('without a summariser that works', () => {
  it.each([
    ['the limit is reached', { say: 'A note.' }, 0],
    ['the service is down', { status: 401 }, 1],
  ] as [string, Behaviour, number][])(
    'because %s, exchanges are found by their meaning at once, and summarised later',
    async (_, fallback, workersUsd) => {
      const { conversations, service, notices, again, forward, clock } = await start(fallback, { workersUsd })
      await conversations.workers.runOnce(never)
      expect(await conversations.workers.embeddings()).toMatchObject({
        exchange: { embedded: 3, waiting: 0 },
      })
      const status = await conversations.workers.status('exchange')
      expect(status).toMatchObject({ totals: { completed: 0 }, problem: expect.any(String) })
      expect(notices.filter(({ message }) => message.startsWith('summaries wait'))).toHaveLength(1)
      service.fallback = { say: 'A note on the parser.' }
      // Down for an hour: nothing is given up for that.
      forward(3_600)
      const later = await again({
        clock,
        limits: { workersUsd: 5 },
        summarisedBy: (calls) =>
          promptedSummariser(
            openAiModel({
              model: 'test-model',
              apiKey: 'k',
              baseUrl: `${service.url}/v1`,
              prices: PRICES,
              calls,
            }),
          ),
      })
      await until(async () => {
        await later.conversations.workers.runOnce(never)
        return (await later.conversations.workers.status('exchange')).waiting === 0
      }, 'summaries')
      expect((await later.conversations.history.exchange('c-2'))?.summary).toBe('A note on the parser.')
      expect(await later.conversations.workers.embeddings()).toMatchObject({
        exchange: { embedded: 3, waiting: 0 },
      })
      // Made anew with the summary.
      expect((await later.conversations.workers.status('embedding')).totals.completed).toBe(6)
    },
  )
})
