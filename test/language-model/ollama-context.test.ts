import { describe, expect, it } from 'vitest'
import { promptedSummariser } from '../../src/language-model/prompted.ts'
import { failureOf } from '../contracts/language-model.ts'
import type { ModelService } from '../stand-ins/model-service.ts'
import { ask, start } from './ollama-service.ts'

describe('the context of a model of Ollama', () => {
  const words = (count: number) => [{ role: 'user' as const, content: 'word '.repeat(count).trim() }]
  const sizes = ({ requests }: ModelService) =>
    requests.map(({ body }) => (body['options'] as { num_ctx: number }).num_ctx)

  it('is as large as prompt and answer need, in few steps that do not shrink, and never larger than the model', async () => {
    const { service, at } = await start({ name: 'long', context: 10_000 })
    const model = at('long')
    for (const count of [10, 5_000, 10, 9_000])
      expect((await model.complete(ask({ messages: words(count) }))).usage.inputTokens).toBe(count)
    expect(sizes(service)).toEqual([4_096, 8_192, 8_192, 10_000])
    expect(service.requests[0]!.body).toMatchObject({ truncate: false, shift: false })
  })

  it('is that which another process has loaded the model with, where it is large enough', async () => {
    const { service, at } = await start({ name: 'long', context: 40_000 })
    await at('long').complete(ask({ messages: words(9_000) }))
    // Another process, which would have asked for less and made the server load the model again.
    await at('LONG:latest').complete(ask())
    await at('long').complete(ask({ messages: words(20_000) }))
    expect(sizes(service)).toEqual([16_384, 16_384, 32_768])
  })

  it('grows when the server counts more tokens than we do', async () => {
    const { service, at } = await start({ name: 'long', context: 30_000, tokensPerWord: 3 })
    const { usage } = await at('long').complete(ask({ messages: words(3_900) }))
    expect(usage.inputTokens).toBe(11_700)
    expect(sizes(service)).toEqual([4_096, 8_192, 16_384])
  })

  it('is never passed without a word', async () => {
    const { service, at } = await start({ name: 'short', context: 2_048 })
    const error = await failureOf(at('short').complete(ask({ messages: words(20_000) })))
    expect(error).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('larger context') })
    expect(error.message).toMatch(/has up to \d+ tokens, and short takes 2048 with the answer/)
    expect(service.requests).toHaveLength(0)
    // What only the server can tell.
    expect((await failureOf(at('short').complete(ask({ messages: words(2_200) })))).message).toContain(
      'longer than short takes',
    )
  })

  it('is what a summary is made for', async () => {
    const { service, at } = await start({ name: 'short', context: 1_024 })
    const exchange = {
      asked: 'why so? '.repeat(900),
      actions: [],
      answered: 'so. '.repeat(900),
      finished: true,
    }
    const summariser = promptedSummariser(at('short'))
    await summariser.exchange(exchange)
    await summariser.conversation({ title: 'long', exchanges: Array.from({ length: 40 }, () => exchange) })
    expect(sizes(service)).toEqual([1_024, 1_024])
    for (const { body } of service.requests) {
      expect((body['options'] as { num_predict: number }).num_predict).toBe(256)
      expect(JSON.stringify(body)).toContain('[…]')
    }
  })
})
