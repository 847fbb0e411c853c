import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { workerCommands } from '../../src/conversation-commands/workers.ts'
import { openAiModel } from '../../src/language-model/openai.ts'
import type { PriceTable } from '../../src/language-model/prices.ts'
import { promptedSummariser } from '../../src/language-model/prompted.ts'
import type { ServiceOptions } from '../../src/language-model/remote.ts'
import type { PaidCalls } from '../../src/services/paid-calls.ts'
import { SilentServices } from '../../src/services/silent-services.ts'
import { type ModelService, startModelService } from '../stand-ins/model-service.ts'
import { openAiCompatibleChat } from '../stand-ins/openai-chat.ts'
import { never, openTestConversations } from './open.ts'
import { standingClock, talk, until } from './working.ts'

describe('summarising with a model', () => {
  let service: ModelService
  beforeEach(async () => {
    service = await startModelService(openAiCompatibleChat, {
      fallback: { say: 'A note on what was done.', tokens: { input: 1_000, output: 100 } },
    })
  })
  afterEach(() => service.close())

  const model =
    (prices: PriceTable = { 'test-model': { input: 1, output: 5 } }, more: Partial<ServiceOptions> = {}) =>
    (calls: PaidCalls) =>
      promptedSummariser(
        openAiModel({
          model: 'test-model',
          apiKey: 'k',
          baseUrl: `${service.url}/v1`,
          maxRetries: 0,
          limits: { startMs: 2_000 },
          prices,
          calls,
          ...more,
        }),
      )

  it('keeps the summaries and counts what they cost', async () => {
    const { conversations } = await openTestConversations({ summarisedBy: model() })
    await talk(conversations, 3)
    await conversations.workers.runOnce(never)
    expect((await conversations.history.exchange('c-1'))?.summary).toBe('A note on what was done.')
    expect((await conversations.workers.status('exchange')).totals).toEqual({ completed: 3, failed: 0 })
    const { lines, workers } = await conversations.spend()
    expect(lines).toMatchObject([
      { purpose: 'summaries', model: 'openai:test-model', calls: 4, inputTokens: 4_000, outputTokens: 400 },
    ])
    expect(workers).toMatchObject({ estimatedUsd: 0, unpricedCalls: 0 })
    expect(workers.spentUsd).toBeCloseTo(0.006, 9)
  })

  it('takes the tags that come with the summary of a conversation, and only those that are any', async () => {
    service = await startModelService(openAiCompatibleChat, {
      fallback: {
        say: 'The parser was mended.\n\nTags: Parser bugs, #CI, <b>, a tag that is a whole sentence, three, four',
      },
    })
    const { conversations } = await openTestConversations({ summarisedBy: model() })
    await talk(conversations, 1)
    await conversations.workers.runOnce(never)
    expect((await conversations.history.conversation('c'))?.summary).toBe('The parser was mended.')
    expect(await conversations.tags.given('c')).toEqual([
      { tag: 'ci', automatic: true },
      { tag: 'parser-bugs', automatic: true },
      { tag: 'three', automatic: true },
    ])
  })

  it('never spends more than the limit, says so, and goes on when it is raised', async () => {
    const { conversations, notices, again } = await openTestConversations({
      summarisedBy: model(),
      limits: { workersUsd: 0.02 },
    })
    await talk(conversations, 30)
    await conversations.workers.runOnce(never)
    const { spentUsd } = (await conversations.spend()).workers
    expect(spentUsd).toBeGreaterThan(0)
    expect(spentUsd).toBeLessThanOrEqual(0.02)
    const status = await conversations.workers.status('exchange')
    expect(status.problem).toMatch(
      /max_spend of \$0\.02 for \w+ 20\d\d is reached.*ralph config set language_model\.max_spend 0\.04/,
    )
    expect(status.failures).toEqual([])
    expect(notices.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^summaries wait; exchanges are found .* max_spend of/),
    ])
    const raised = await again({ summarisedBy: model(), limits: { workersUsd: 1 } })
    await raised.conversations.workers.runOnce(never)
    expect((await raised.conversations.workers.status('exchange')).waiting).toBe(0)
  })

  it('keeps the limit also when several processes spend at once', async () => {
    const { conversations, again } = await openTestConversations({
      summarisedBy: model(),
      limits: { workersUsd: 0.03 },
    })
    await talk(conversations, 40)
    const others = await Promise.all([again(), again()])
    await Promise.all(
      [conversations, ...others.map((other) => other.conversations)].map((one) => one.workers.runOnce(never)),
    )
    expect((await conversations.spend()).workers.spentUsd).toBeLessThanOrEqual(0.03)
    expect(service.requests.length * 0.0015).toBeLessThanOrEqual(0.03)
  })

  it('does not run a model of unknown price under a limit, and counts its calls without one', async () => {
    const limited = await openTestConversations({ summarisedBy: model({}), limits: { workersUsd: 1 } })
    await talk(limited.conversations, 1)
    await limited.conversations.workers.runOnce(never)
    expect(service.requests).toHaveLength(0)
    expect((await limited.conversations.workers.status('exchange')).problem).toMatch(
      /price of test-model is not known.*ralph config set language_model\.prices '\[\{"model":"test-model"/,
    )

    const free = await openTestConversations({ summarisedBy: model({}) })
    await talk(free.conversations, 1)
    await free.conversations.workers.runOnce(never)
    expect((await free.conversations.spend()).workers).toMatchObject({ spentUsd: 0, unpricedCalls: 2 })
  })

  it.each([
    ['429', { status: 429 }, 1],
    ['500', { status: 500 }, 1],
    ['broken JSON', { broken: 'json' as const }, 1],
    ['the wrong shape', { broken: 'shape' as const }, 1],
    ['silence, and is left alone then', { slow: 10_000 }, 30],
  ])('survives a service that answers with %s', async (_, behaviour, seconds) => {
    const { clock, forward } = standingClock()
    const silent = new SilentServices({ clock: () => clock().getTime() })
    const summarisedBy = model(undefined, { silent, limits: { startMs: 1_500 } })
    const { conversations } = await openTestConversations({ clock, summarisedBy })
    await talk(conversations, 1)
    await conversations.workers.enable('conversation', false)
    service.next(behaviour)
    await conversations.workers.runOnce(never)
    expect((await conversations.workers.status('exchange')).failures).toMatchObject([
      { attempts: 1, givenUp: false },
    ])
    forward(seconds)
    await conversations.workers.runOnce(never)
    expect((await conversations.history.exchange('c-0'))?.summary).toBe('A note on what was done.')
    expect((await conversations.workers.status('exchange')).failures).toEqual([])
  })

  it('says of one round what is done and what is not', async () => {
    const { clock } = standingClock()
    const { conversations } = await openTestConversations({ clock, summarisedBy: model() })
    await talk(conversations, 2)
    service.next({ status: 500 }, { status: 500 })
    const run = workerCommands.find(({ name }) => name === 'workers run')!
    const context = { conversations, onProgress: () => undefined, signal: never }
    const { data, text, remark } = await run.run(context, { words: [], options: { once: true } })
    expect(text((_, plain) => plain)).toBe(
      'conversation: 1 done\nexchange: 0 done, 2 failed (tried again later)\nembedding: 3 done',
    )
    expect(data).toMatchObject({
      done: { exchange: 0, conversation: 1 },
      failed: { exchange: 2, conversation: 0 },
    })
    expect(remark).toMatch(/^exchange: .*failed \(500\).*→ ralph workers status$/)
  })

  it('counts an item once, however often it was tried, and what came off in the end as done', async () => {
    const { clock: standing, forward } = standingClock()
    // Time flies: whatever failed is due again at once.
    const clock = () => {
      forward(60)
      return standing()
    }
    const { conversations } = await openTestConversations({ clock, summarisedBy: model() })
    await talk(conversations, 3)
    await conversations.workers.enable('conversation', false)
    service.next({ status: 500 }, { status: 500 })
    expect((await conversations.workers.runOnce(never)).exchange).toBe(3)
    expect(conversations.workers.failedOf('exchange')).toBe(0)
    expect(service.requests).toHaveLength(5)
  })

  it('goes on after a failure or two, and not for ever', async () => {
    const { clock } = standingClock()
    const { conversations } = await openTestConversations({ clock, summarisedBy: model() })
    await talk(conversations, 9)
    await conversations.workers.enable('conversation', false)
    service.next({ status: 500 }, { status: 500 })
    expect((await conversations.workers.runOnce(never)).exchange).toBe(7)
    expect(conversations.workers.failedOf('exchange')).toBe(2)
    expect(service.mostAtOnce).toBe(1)
  })

  it('does not hammer a service that is down', async () => {
    const { clock } = standingClock()
    service.fallback = { status: 503 }
    const { conversations } = await openTestConversations({ clock, summarisedBy: model() })
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
    const { conversations, again } = await openTestConversations({ summarisedBy: model() })
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
    const { conversations, again } = await openTestConversations({ summarisedBy: model() })
    await talk(conversations, 2)
    conversations.workers.start()
    await until(async () => service.requests.length >= 1, 'requests')
    await conversations.workers.stop()
    service.fallback = { say: 'A note.' }
    const other = await again()
    await other.conversations.workers.runOnce(never)
    expect((await other.conversations.history.exchange('c-0'))?.summary).toBe('A note.')
    expect((await other.conversations.workers.status('exchange')).failures).toEqual([])
  })
})
