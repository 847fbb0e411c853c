import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isRalphError, type RalphError } from '../../src/errors.ts'
import { anthropicModel } from '../../src/language-model/anthropic.ts'
import type { ChatMessage, LanguageModel, ToolDefinition } from '../../src/language-model/language-model.ts'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { openAiModel } from '../../src/language-model/openai.ts'
import { anthropicMessages } from '../stand-ins/anthropic-messages.ts'
import { type Dialect, type ModelService, startModelService } from '../stand-ins/model-service.ts'
import { ollamaChat } from '../stand-ins/ollama-chat.ts'
import { openAiChat } from '../stand-ins/openai-chat.ts'

interface Settings {
  model: string
  baseUrl: string
  timeoutMs?: number
  maxRetries?: number
}
interface Case {
  name: string
  dialect: Dialect
  path: string
  open(settings: Settings): LanguageModel
  /** Ollama's library does not try again by itself; the workers do. */
  retriesItself: boolean
  priced: boolean
}

const prices = { 'test-model': { input: 1, output: 5 } }
const CASES: Case[] = [
  {
    name: 'Anthropic',
    dialect: anthropicMessages,
    path: '',
    open: (settings) => anthropicModel({ apiKey: 'test-key', prices, ...settings }),
    retriesItself: true,
    priced: true,
  },
  {
    name: 'OpenAI',
    dialect: openAiChat,
    path: '/v1',
    open: (settings) => openAiModel({ apiKey: 'test-key', prices, ...settings }),
    retriesItself: true,
    priced: true,
  },
  {
    name: 'Ollama',
    dialect: ollamaChat,
    path: '',
    open: (settings) => ollamaModel(settings),
    retriesItself: false,
    priced: false,
  },
]

const question: ChatMessage[] = [{ role: 'user', content: 'Where is the timeout set?' }]
const tool: ToolDefinition = {
  name: 'look_up',
  description: 'Looks something up.',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
}

async function failureOf(promise: Promise<unknown>): Promise<RalphError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isRalphError(error)) throw new Error(`expected a RalphError, got ${String(error)}`)
  return error
}

describe.each(CASES)('$name', ({ dialect, path, open, retriesItself, priced }) => {
  let service: ModelService
  let model: LanguageModel
  const at = (more: Partial<Settings> = {}) =>
    open({ model: 'test-model', baseUrl: service.url + path, maxRetries: 0, ...more })

  beforeEach(async () => {
    service = await startModelService(dialect)
    model = at()
  })
  afterEach(() => service.close())

  it('answers and reports tokens and cost', async () => {
    service.next({ say: 'In net.ts.', tokens: { input: 1_000, output: 200 } })
    const completion = await model.complete({ system: 'Be brief.', messages: question, maxTokens: 50 })
    expect(completion.text).toBe('In net.ts.')
    expect(completion.stop).toBe('end')
    expect(completion.usage).toMatchObject({ inputTokens: 1_000, outputTokens: 200 })
    expect(completion.usage.costUsd).toBeCloseTo(priced ? 0.002 : 0, 9)
  })

  it('streams piece by piece and ends with the whole answer and its usage', async () => {
    service.next({ say: 'It is set in net.ts.' })
    const heard: string[] = []
    const completion = await model.stream({ messages: question, maxTokens: 50 }, (piece) => heard.push(piece))
    expect(heard.length).toBeGreaterThan(1)
    expect(heard.join('')).toBe('It is set in net.ts.')
    expect(completion.text).toBe('It is set in net.ts.')
    expect(completion.usage.outputTokens).toBe(20)
  })

  it.each(['complete', 'stream'] as const)('calls tools and takes their results (%s)', async (way) => {
    service.next(
      { call: { name: 'look_up', input: { id: 'c1' } }, say: 'Let me look.' },
      { say: 'Found it.' },
    )
    const ask = (messages: ChatMessage[]) => {
      const request = { messages, maxTokens: 50, tools: [tool] }
      return way === 'complete' ? model.complete(request) : model.stream(request, () => undefined)
    }
    const first = await ask(question)
    expect(first.stop).toBe('tools')
    const [call] = first.toolCalls
    expect(call).toMatchObject({ name: 'look_up', input: { id: 'c1' } })
    const second = await ask([
      ...question,
      { role: 'assistant', content: first.text, toolCalls: first.toolCalls, opaque: first.opaque },
      { role: 'tool', results: [{ callId: call!.id, name: 'look_up', content: 'line 4', isError: false }] },
    ])
    expect(second.text).toBe('Found it.')
    expect(JSON.stringify(service.requests[1]!.body)).toContain('line 4')
  })

  it('says when the answer was cut', async () => {
    service.next({ say: 'It is', stop: 'length' })
    expect((await model.complete({ messages: question, maxTokens: 2 })).stop).toBe('length')
  })

  it.each(['json', 'shape'] as const)(
    'reports a broken answer (%s) as something to try again',
    async (broken) => {
      service.next({ broken })
      const error = await failureOf(model.complete({ messages: question, maxTokens: 50 }))
      expect(error.code).toBe('unavailable')
      expect(error.retryable).toBe(true)
      expect(error.message).not.toContain('\n')
    },
  )

  it('notices a stream that breaks off', async () => {
    service.next({ say: 'It is set in', broken: 'half' } as never)
    const error = await failureOf(model.stream({ messages: question, maxTokens: 50 }, () => undefined))
    expect(error.retryable).toBe(true)
  })

  it.each([429, 500, 503])('reports %i as something to try again', async (status) => {
    service.next({ status })
    const error = await failureOf(model.complete({ messages: question, maxTokens: 50 }))
    expect(error.retryable).toBe(true)
    expect(error.message).toContain(String(status))
  })

  it.runIf(retriesItself)('waits as told by retry-after and tries again', async () => {
    service.next({ status: 429, retryAfter: 0 }, { status: 500 }, { say: 'At last.' })
    const completion = await at({ maxRetries: 2 }).complete({ messages: question, maxTokens: 50 })
    expect(completion.text).toBe('At last.')
    expect(service.requests).toHaveLength(3)
  })

  it('gives up on a service that does not answer in time', async () => {
    service.next({ slow: 5_000 })
    const error = await failureOf(at({ timeoutMs: 100 }).complete({ messages: question, maxTokens: 50 }))
    expect(error.code).toBe('timeout')
  })

  it('is cancelled by its signal', async () => {
    service.next({ slow: 5_000 })
    const cancel = new AbortController()
    setTimeout(() => cancel.abort(), 50)
    const error = await failureOf(model.complete({ messages: question, maxTokens: 50 }, cancel.signal))
    expect(error.code).toBe('cancelled')
  })

  it('says what to do when the model or the service is missing', async () => {
    expect(await model.check()).toMatchObject({ ok: true })
    const wrong = await at({ model: 'no-such-model' }).check()
    expect(wrong.ok).toBe(false)
    expect(wrong.hint).toBeTruthy()
    const absent = open({ model: 'test-model', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 })
    expect((await absent.check()).ok).toBe(false)
    const error = await failureOf(absent.complete({ messages: question, maxTokens: 5 }))
    expect(error.hint).toBeTruthy()
  })

  it('bounds the cost of a request before it is sent', async () => {
    const request = { messages: question, maxTokens: 1_000 }
    const bound = model.worstCost(request)!
    service.next({ say: 'x', tokens: { input: 25, output: 1_000 } })
    expect(bound).toBeGreaterThanOrEqual((await model.complete(request)).usage.costUsd!)
    if (priced) expect(bound).toBeLessThan(0.01)
  })
})

describe('a proxy in front of Ollama that answers with a page of its own', () => {
  it.each([200, 502])('with status %i: an error, and nothing on standard output', async (status) => {
    const proxy = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' })
      response.end('<!DOCTYPE html><html><body>Bad Gateway</body></html>')
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const talk = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error'), vi.spyOn(process.stdout, 'write')]
    const error = await failureOf(
      ollamaModel({ model: 'm', baseUrl }).complete({ messages: question, maxTokens: 5 }),
    )
    const said = talk.flatMap((spy) => spy.mock.calls)
    for (const spy of talk) spy.mockRestore()
    expect(error.message).toMatch(status === 200 ? /web page/ : /502/)
    expect(error.message).not.toContain('<')
    expect(said).toEqual([])
  })
})

describe('cost', () => {
  it('is unknown, not zero, for a model without a price', async () => {
    const service = await startModelService(openAiChat, { models: ['home-made'] })
    const model = openAiModel({ model: 'home-made', apiKey: 'k', baseUrl: `${service.url}/v1` })
    const { usage } = await model.complete({ messages: question, maxTokens: 10 })
    expect(usage.costUsd).toBeUndefined()
    expect(usage.inputTokens).toBe(100)
    expect(model.worstCost({ messages: question, maxTokens: 10 })).toBeUndefined()
    await service.close()
  })

  it('needs a key and says where to put it', async () => {
    for (const open of [anthropicModel, openAiModel]) {
      const error = await failureOf(
        open({ model: 'm', apiKey: undefined }).complete({ messages: question, maxTokens: 1 }),
      )
      expect(error.hint).toMatch(/_API_KEY/)
    }
  })
})

/** The real services, where somebody provides one: `RALPH_TEST_OLLAMA_URL`, `RALPH_TEST_OLLAMA_MODEL` and so on. */
const real = (name: string) => ({
  baseUrl: process.env[`RALPH_TEST_${name}_URL`],
  model: process.env[`RALPH_TEST_${name}_MODEL`] ?? '',
  apiKey: process.env[`RALPH_TEST_${name}_KEY`] ?? '',
})
describe.each([
  { name: 'ANTHROPIC', open: anthropicModel },
  { name: 'OPENAI', open: openAiModel },
  { name: 'OLLAMA', open: ollamaModel },
])('a real $name service', ({ name, open }) => {
  const { baseUrl, model, apiKey } = real(name)
  it.skipIf(!baseUrl || !model)('answers', async () => {
    const completion = await open({ baseUrl: baseUrl!, model, apiKey }).complete({
      messages: [{ role: 'user', content: 'Reply with the single word: pong' }],
      maxTokens: 500,
    })
    expect(completion.text.toLowerCase()).toContain('pong')
    expect(completion.usage.outputTokens).toBeGreaterThan(0)
  })
})
