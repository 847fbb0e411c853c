import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { anthropicModel } from '../../src/language-model/anthropic.ts'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { openAiModel } from '../../src/language-model/openai.ts'
import { describeLanguageModel, failureOf, question, TEST_PRICES } from '../contracts/language-model.ts'
import { anthropicMessages } from '../stand-ins/anthropic-messages.ts'
import { startModelService } from '../stand-ins/model-service.ts'
import { ollamaChat } from '../stand-ins/ollama-chat.ts'
import { openAiChat } from '../stand-ins/openai-chat.ts'

describeLanguageModel('Anthropic', {
  dialect: anthropicMessages,
  path: '',
  open: (settings) => anthropicModel({ apiKey: 'test-key', prices: TEST_PRICES, ...settings }),
  retriesItself: true,
  free: false,
})

describeLanguageModel('OpenAI', {
  dialect: openAiChat,
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
