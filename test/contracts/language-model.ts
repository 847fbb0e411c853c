import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRalphError, type RalphError } from '../../src/errors.ts'
import type { ChatMessage, ToolDefinition } from '../../src/language-model/chat-message.ts'
import type { LanguageModel } from '../../src/language-model/language-model.ts'
import type { PaidCalls } from '../../src/services/paid-calls.ts'
import { type Dialect, type ModelService, startModelService } from '../stand-ins/model-service.ts'
import { keptBooks } from '../support/kept-books.ts'

export interface ModelSettings {
  model: string
  baseUrl: string
  limits?: { startMs?: number; pauseMs?: number }
  maxRetries?: number
  calls?: PaidCalls
}

export interface LanguageModelExpectations {
  /** How the service speaks, and where below its address. */
  dialect: Dialect
  path: string
  /** With the price of `TEST_PRICES`, unless it is free. */
  open(settings: ModelSettings): LanguageModel
  /** False where it is not tried again at once; the workers do. */
  retriesItself: boolean
  free: boolean
}

export const TEST_PRICES = { 'test-model': { input: 1, output: 5 } }

export const question: ChatMessage[] = [{ role: 'user', content: 'Where is the timeout set?' }]
const NOBODY = { onText: () => undefined }
const tool: ToolDefinition = {
  name: 'look_up',
  description: 'Looks something up.',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
}

export async function failureOf(promise: Promise<unknown>): Promise<RalphError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isRalphError(error)) throw new Error(`expected a RalphError, got ${String(error)}`)
  return error
}

/** What every language model promises, over HTTP against a service that follows its provider's documentation. */
export function describeLanguageModel(
  name: string,
  { dialect, path, open, retriesItself, free }: LanguageModelExpectations,
): void {
  describe(`language model contract: ${name}`, () => {
    let service: ModelService
    let model: LanguageModel
    const at = (more: Partial<ModelSettings> = {}) =>
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
      expect(completion.usage.costUsd).toBeCloseTo(free ? 0 : 0.002, 9)
    })

    it('streams piece by piece and ends with the whole answer and its usage', async () => {
      service.next({ say: 'It is set in net.ts.' })
      const heard: string[] = []
      const completion = await model.stream(
        { messages: question, maxTokens: 50 },
        { onText: (piece) => void heard.push(piece) },
      )
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
        return way === 'complete' ? model.complete(request) : model.stream(request, NOBODY)
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
      const error = await failureOf(model.stream({ messages: question, maxTokens: 50 }, NOBODY))
      expect(error.retryable).toBe(true)
    })

    it.each([429, 500, 503])('reports %i as something to try again', async (status) => {
      service.next({ status })
      const error = await failureOf(model.complete({ messages: question, maxTokens: 50 }))
      expect(error.retryable).toBe(true)
      expect(error.message).toContain(String(status))
    })

    it.runIf(retriesItself)('waits as told by retry-after and tries again', async () => {
      service.next({ status: 429, retryAfter: 0 }, { status: 429, retryAfter: 0 }, { say: 'At last.' })
      const completion = await at({ maxRetries: 2 }).complete({ messages: question, maxTokens: 50 })
      expect(completion.text).toBe('At last.')
      expect(service.requests).toHaveLength(3)
    })

    it('does not ask again for what may have been paid for', async () => {
      const { calls, books } = keptBooks()
      service.next({ status: 500 })
      await failureOf(at({ maxRetries: 2, calls }).complete({ messages: question, maxTokens: 50 }))
      expect(service.requests).toHaveLength(1)
      expect(books).toHaveLength(1)
    })

    it('gives up on a service that does not answer in time', async () => {
      service.next({ slow: 5_000 })
      const error = await failureOf(
        at({ limits: { startMs: 100 } }).complete({ messages: question, maxTokens: 50 }),
      )
      expect(error.code).toBe('timeout')
    })

    it('is cancelled by its signal', async () => {
      service.next({ slow: 5_000 })
      const cancel = new AbortController()
      setTimeout(() => cancel.abort(), 50)
      const error = await failureOf(model.complete({ messages: question, maxTokens: 50 }, cancel.signal))
      expect(error.code).toBe('cancelled')
    })

    it('asks nothing when it is cancelled before it begins', async () => {
      const request = { messages: question, maxTokens: 50 }
      for (const call of [
        model.complete(request, AbortSignal.abort()),
        model.stream(request, NOBODY, AbortSignal.abort()),
      ])
        expect((await failureOf(call)).code).toBe('cancelled')
      expect(service.requests).toEqual([])
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

    it('writes down the most that a request can cost before it is sent, and what it has cost then', async () => {
      const { calls, books } = keptBooks()
      service.next({ say: 'x', tokens: { input: 25, output: 1_000 } })
      const request = { messages: question, maxTokens: 1_000, purpose: 'chat' as const }
      const { usage } = await at({ calls }).complete(request)
      expect(books).toMatchObject([
        { purpose: 'chat', model: model.id, settled: { ...usage, isEstimate: false } },
      ])
      expect(books[0]!.worstUsd).toBeGreaterThanOrEqual(usage.costUsd!)
      expect(books[0]!.worstUsd).toBeLessThan(0.01)
    })

    it('says who it is', () => {
      expect(model.id).toMatch(/^[a-z]+:test-model$/)
    })
  })
}
