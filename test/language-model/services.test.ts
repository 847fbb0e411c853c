import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { anthropicModel } from '../../src/language-model/anthropic.ts'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { openAiModel } from '../../src/language-model/openai.ts'
import { describeLanguageModel, failureOf, question, TEST_PRICES } from '../contracts/language-model.ts'
import { anthropicMessages } from '../stand-ins/anthropic-messages.ts'
import { type Dialect, startModelService } from '../stand-ins/model-service.ts'
import { ollamaChat } from '../stand-ins/ollama-chat.ts'
import { bareCompatibleChat, openAiChat, openAiCompatibleChat } from '../stand-ins/openai-chat.ts'

describeLanguageModel('Anthropic', {
  dialect: anthropicMessages,
  path: '',
  open: (settings) => anthropicModel({ apiKey: 'test-key', prices: TEST_PRICES, ...settings }),
  retriesItself: true,
  free: false,
})

describeLanguageModel('OpenAI', {
  dialect: openAiCompatibleChat,
  path: '/v1',
  open: (settings) => openAiModel({ apiKey: 'test-key', prices: TEST_PRICES, ...settings }),
  retriesItself: true,
  free: false,
})

describeLanguageModel('Ollama', {
  dialect: ollamaChat,
  path: '',
  open: ollamaModel,
  retriesItself: false,
  free: true,
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

describe('a compatible service that reports no usage', () => {
  it.each(['complete', 'stream'] as const)(
    'answers all the same, and its cost is estimated (%s)',
    async (way) => {
      const service = await startModelService(bareCompatibleChat)
      onTestFinished(() => service.close())
      const model = openAiModel({
        model: 'test-model',
        apiKey: 'k',
        baseUrl: `${service.url}/v1`,
        prices: TEST_PRICES,
      })
      const request = { messages: question, maxTokens: 10 }
      const answer =
        way === 'complete' ? model.complete(request) : model.stream(request, { onText: () => undefined })
      const { text, usage } = await answer
      expect(text).toBe('Understood.')
      expect(usage).toMatchObject({ outputTokens: 10, isEstimate: true })
      expect(usage.inputTokens).toBeGreaterThan(5)
      expect(usage.costUsd).toBeGreaterThan(0)
    },
  )
})

describe('a compatible service', () => {
  const look = { name: 'look_up', description: 'Looks.', parameters: { type: 'object' } }
  const request = { messages: question, maxTokens: 10, tools: [look] }
  const opened = async (dialect: Dialect) => {
    const service = await startModelService(dialect)
    onTestFinished(() => service.close())
    const model = openAiModel({ model: 'test-model', apiKey: 'k', baseUrl: `${service.url}/v1` })
    return { service, model, sent: () => service.requests.map(({ body }) => Object.keys(body)) }
  }

  it('is asked again without what it does not know, once', async () => {
    const { service, model, sent } = await opened(bareCompatibleChat)
    expect((await model.complete(request)).text).toBe('Understood.')
    expect(sent().at(-1)).toEqual(['model', 'max_tokens', 'messages', 'stream'])
    expect((await model.limits()).tools).toBe(false)
    const asked = service.requests.length
    await model.complete(request)
    expect(service.requests).toHaveLength(asked + 1)
  })

  it('that has OpenAI’s newer models is told the length of an answer as they want it', async () => {
    const { model, sent } = await opened(openAiChat)
    for (let again = 0; again < 2; again++) expect((await model.complete(request)).text).toBe('Understood.')
    expect(sent().map((fields) => fields[1])).toEqual([
      'max_tokens',
      'max_completion_tokens',
      'max_completion_tokens',
    ])
  })

  it('that refuses something else is not asked again', async () => {
    const { service, model } = await opened(openAiCompatibleChat)
    service.next({ status: 400 })
    expect(await failureOf(model.complete(request))).toMatchObject({ code: 'invalid_input' })
    expect(service.requests).toHaveLength(1)
  })

  it('may answer for as long as it likes, also where nobody watches', async () => {
    const { service, model } = await opened(openAiCompatibleChat)
    service.next({ say: 'one two' })
    await model.complete(request)
    expect(service.requests[0]!.body).toMatchObject({ stream: true })
  })
})

describe('a compatible service on a machine of one’s own', () => {
  it.each([
    ['lists its models', ['own', 'another'], 'own', true],
    ['lists others', ['one', 'another'], 'own', false],
    ['has one model, whatever it is called', ['file.gguf'], 'own', true],
    ['lists nothing', undefined, 'own', true],
    ['has nothing to do with it', null, 'own', false],
  ])('that wants no key and %s is looked at by what it tells', async (_, listed, model, ok) => {
    const server = createServer((request, response) => {
      const isList = request.url === '/v1/models' && listed
      const isChat = request.url === '/v1/chat/completions' && listed !== null
      response.writeHead(isList ? 200 : isChat ? 400 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isList ? { object: 'list', data: listed.map((id) => ({ id })) } : {}))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    expect((await openAiModel({ model, baseUrl, apiKey: undefined }).check()).ok).toBe(ok)
  })

  it('that is asked without its path is told from one that does not have the model', async () => {
    const service = await startModelService(openAiCompatibleChat)
    onTestFinished(() => service.close())
    const model = openAiModel({ model: 'test-model', apiKey: 'k', baseUrl: service.url })
    const hint = `Set language_model.url to ${service.url}/v1`
    expect(await model.check()).toMatchObject({ ok: false, hint })
    expect(await failureOf(model.complete({ messages: question, maxTokens: 5 }))).toMatchObject({
      code: 'unavailable',
      hint,
    })
  })
})

describe('cost', () => {
  it('is unknown, not zero, for a model without a price', async () => {
    const service = await startModelService(openAiChat, { models: ['home-made'] })
    const model = openAiModel({ model: 'home-made', apiKey: 'k', baseUrl: `${service.url}/v1` })
    const { usage } = await model.complete({ messages: question, maxTokens: 10 })
    expect(usage.costUsd).toBeUndefined()
    expect(usage.inputTokens).toBe(100)
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

/** The real services, where somebody provides one: `RALPH_TEST_OPENAI_URL`, `_CHAT_MODEL` and `_KEY` and so on. */
const real = (name: string) => ({
  baseUrl: process.env[`RALPH_TEST_${name}_URL`],
  model: process.env[`RALPH_TEST_${name}_CHAT_MODEL`] ?? '',
  apiKey: process.env[`RALPH_TEST_${name}_KEY`] ?? '',
})
describe.each([
  { name: 'ANTHROPIC', open: anthropicModel },
  { name: 'OPENAI', open: openAiModel },
  { name: 'OLLAMA', open: ollamaModel },
])('a real $name service', ({ name, open }) => {
  const { baseUrl, model, apiKey } = real(name)
  it.skipIf(!baseUrl || !model)('answers, and is there', { timeout: 300_000 }, async () => {
    const opened = open({ baseUrl: baseUrl!, model, apiKey })
    expect(await opened.check()).toMatchObject({ ok: true })
    const completion = await opened.complete({
      messages: [{ role: 'user', content: 'Reply with the single word: pong' }],
      maxTokens: 500,
    })
    expect(completion.text).not.toBe('')
    expect(completion.usage.outputTokens).toBeGreaterThan(0)
  })
})
