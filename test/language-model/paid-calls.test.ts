import { describe, expect, it, onTestFinished } from 'vitest'
import { anthropicModel } from '../../src/language-model/anthropic.ts'
import { openAiModel } from '../../src/language-model/openai.ts'
import type { ServiceOptions } from '../../src/language-model/remote.ts'
import { failureOf, question, TEST_PRICES } from '../contracts/language-model.ts'
import { anthropicMessages } from '../stand-ins/anthropic-messages.ts'
import { type Behaviour, type Dialect, startModelService } from '../stand-ins/model-service.ts'
import { openAiCompatibleChat, terseCompatibleChat } from '../stand-ins/openai-chat.ts'
import { keptBooks } from '../support/kept-books.ts'

const KINDS = [
  { name: 'OpenAI', dialect: openAiCompatibleChat, path: '/v1', open: openAiModel },
  { name: 'Anthropic', dialect: anthropicMessages, path: '', open: anthropicModel },
]
const NOBODY = { onText: () => undefined }

async function started(dialect: Dialect = openAiCompatibleChat, { path = '/v1', open = openAiModel } = {}) {
  const service = await startModelService(dialect)
  onTestFinished(() => service.close())
  const { calls, books } = keptBooks()
  const at = (more: Partial<ServiceOptions> = {}) =>
    open({
      model: 'test-model',
      apiKey: 'k',
      prices: TEST_PRICES,
      baseUrl: service.url + path,
      limits: { startMs: 300, pauseMs: 300 },
      maxRetries: 0,
      calls,
      ...more,
    })
  return { service, books, at }
}

describe.each(KINDS)('a call of $name', ({ dialect, ...kind }) => {
  const CHARGED: [string, Behaviour][] = [
    ['a failure of the service', { status: 500 }],
    ['something that is not JSON', { broken: 'json' }],
    ['the wrong shape', { broken: 'shape' }],
    ['half an answer', { say: 'It is', broken: 'half' } as Behaviour],
    ['silence', { slow: 5_000 }],
  ]
  it.each(CHARGED)(
    'that brings %s may have been paid for, and is counted at its worst',
    async (_, behaviour) => {
      const { service, books, at } = await started(dialect, kind)
      service.next(behaviour)
      const error = await failureOf(at().stream({ messages: question, maxTokens: 700 }, NOBODY))
      expect(error.charged).toBe(true)
      expect(books).toHaveLength(1)
      const [{ worstUsd, settled }] = books as [(typeof books)[0]]
      expect(settled).toMatchObject({ outputTokens: 700, isEstimate: true })
      expect(settled?.inputTokens).toBeGreaterThan(5)
      expect(settled?.costUsd).toBeLessThanOrEqual(worstUsd!)
    },
  )

  it.each([400, 401, 404, 429, 529])('that is refused with %i costs nothing', async (status) => {
    const { service, books, at } = await started(dialect, kind)
    service.next({ status })
    expect((await failureOf(at().complete({ messages: question, maxTokens: 50 }))).charged).toBe(false)
    expect(books).toMatchObject([{ settled: null }])
  })

  it('that reaches nobody costs nothing', async () => {
    const { service, books, at } = await started(dialect, kind)
    await service.close()
    await failureOf(at().complete({ messages: question, maxTokens: 50 }))
    expect(books).toMatchObject([{ settled: null }])
  })

  it('that is cancelled on its way is counted', async () => {
    const { service, books, at } = await started(dialect, kind)
    service.next({ slow: 5_000 })
    const cancel = new AbortController()
    const answering = at({ limits: {} }).complete({ messages: question, maxTokens: 50 }, cancel.signal)
    await expect.poll(() => service.requests.length).toBe(1)
    cancel.abort()
    expect((await failureOf(answering)).code).toBe('cancelled')
    expect(books).toMatchObject([{ settled: { outputTokens: 50, isEstimate: true } }])
  })

  it('that is tried again is counted each time', async () => {
    const { service, books, at } = await started(dialect, kind)
    service.next({ status: 429, retryAfter: 0 }, { say: 'Yes.', tokens: { input: 10, output: 2 } })
    await at({ maxRetries: 2 }).complete({ messages: question, maxTokens: 50 })
    expect(books).toMatchObject([{ settled: null }, { settled: { inputTokens: 10, isEstimate: false } }])
  })
})

describe('an answer that is cancelled in its middle', () => {
  it('is told as cancelled, not taken for a whole one, and counted', async () => {
    const { service, books, at } = await started(terseCompatibleChat)
    service.next({ say: 'one two three', live: { silentAfter: 2 } })
    const cancel = new AbortController()
    const heard: string[] = []
    const listener = {
      onText(piece: string) {
        heard.push(piece)
        if (heard.length === 2) cancel.abort()
      },
    }
    const error = await failureOf(at().stream({ messages: question, maxTokens: 90 }, listener, cancel.signal))
    expect(error.code).toBe('cancelled')
    expect(heard.join('')).toBe('one two ')
    expect(books).toMatchObject([{ settled: { outputTokens: 90, isEstimate: true } }])
  })
})

describe('a service that leaves things out', () => {
  it('is understood without ids, the reason for an end, its mark and a count of tokens', async () => {
    const { service, books, at } = await started(terseCompatibleChat)
    service.next({ say: 'It is in net.ts.' })
    const model = at()
    const request = { messages: question, maxTokens: 50 }
    expect(await model.stream(request, NOBODY)).toMatchObject({ text: 'It is in net.ts.', stop: 'end' })
    service.next({ call: { name: 'look_up', input: { id: '7' } } })
    expect(await model.stream(request, NOBODY)).toMatchObject({
      stop: 'tools',
      toolCalls: [{ name: 'look_up', input: { id: '7' } }],
    })
    expect(books).toMatchObject([{ settled: { isEstimate: true } }, { settled: { isEstimate: true } }])
  })

  it('has not answered when nothing came', async () => {
    const { service, at } = await started(terseCompatibleChat)
    service.next({ say: '' })
    expect(await failureOf(at().stream({ messages: question, maxTokens: 50 }, NOBODY))).toMatchObject({
      message: expect.stringContaining('half an answer'),
    })
  })
})

describe('a model that thinks before it writes', () => {
  const note = { messages: question, maxTokens: 50, think: false as const }

  it('is told how much, and asked again without it where it does not know the word', async () => {
    const { service, at } = await started()
    await at().complete(note)
    await at({ effort: 'minimal' }).complete(note)
    await at().complete({ messages: question, maxTokens: 50 })
    expect(service.requests.map(({ body }) => body['reasoning_effort'])).toEqual([
      'low',
      'minimal',
      undefined,
    ])
  })

  it('of Anthropic is told not to, or as little as it lets itself be told', async () => {
    const dialect: Dialect = {
      ...anthropicMessages,
      refuse: ({ body }) => {
        const { type } = (body['thinking'] ?? {}) as { type?: string }
        return type === undefined
          ? undefined
          : {
              status: 400,
              body: anthropicMessages.error(400, `"thinking.type.${type}" is not supported for this model.`),
            }
      },
    }
    const { service, books, at } = await started(dialect, { path: '', open: anthropicModel })
    const model = at()
    for (let again = 0; again < 2; again++) await model.complete(note)
    const asked = service.requests.map(({ body }) => body['thinking'] ?? body['output_config'])
    expect(asked).toEqual([
      { type: 'disabled' },
      { type: 'between_tools' },
      { effort: 'low' },
      { effort: 'low' },
    ])
    // Refusals cost nothing: two calls.
    expect(books).toHaveLength(2)
  })
})
