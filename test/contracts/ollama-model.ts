import { describe, expect, it } from 'vitest'
import type { LanguageModel } from '../../src/language-model/language-model.ts'
import { failureOf, question } from './language-model.ts'

export interface OllamaSetting {
  open(model: string): LanguageModel | Promise<LanguageModel>
  model: string
  embeddingModel: string | undefined
}

/** What holds on a real Ollama as on our stand-in, whatever the model writes. */
export function describeOllamaModel(name: string, { open, model, embeddingModel }: OllamaSetting): void {
  describe(`Ollama's models: ${name}`, { timeout: 300_000 }, () => {
    it('are found in any spelling, and otherwise can be fetched', async () => {
      const plain = model.includes(':') ? [model] : [model, `${model}:latest`]
      for (const spelling of [...plain, model.toUpperCase(), `library/${model}`])
        expect(await (await open(spelling)).check(), spelling).toMatchObject({ ok: true })
      expect(await (await open('no-such-model-anywhere')).check()).toEqual({
        ok: false,
        detail: 'no-such-model-anywhere not found',
        hint: 'Run: ollama pull no-such-model-anywhere',
      })
    })

    it('answer part by part and as a whole, and count', async () => {
      const opened = await open(model)
      const heard: string[] = []
      const request = { messages: question, maxTokens: 20, think: false as const }
      const streamed = await opened.stream(request, { onText: (piece) => void heard.push(piece) })
      expect(heard.join('')).toBe(streamed.text)
      expect(streamed.text).not.toBe('')
      const { text, usage } = await opened.complete(request)
      expect(text).not.toBe('')
      expect(usage).toMatchObject({ costUsd: 0 })
      expect(Math.min(usage.inputTokens, usage.outputTokens)).toBeGreaterThan(0)
    })

    it('read a long prompt whole, or say that it is too long', async () => {
      const opened = await open(model)
      const { contextTokens = 0 } = await opened.limits()
      const words = (count: number) => ({
        messages: [{ role: 'user' as const, content: 'the '.repeat(count) }],
        maxTokens: 16,
        think: false as const,
      })
      const fitting = Math.min(6_000, Math.floor(contextTokens * 0.6))
      expect((await opened.complete(words(fitting))).usage.inputTokens).toBeGreaterThanOrEqual(fitting)
      const error = await failureOf(opened.complete(words(contextTokens * 3)))
      expect(error.code).toBe('invalid_input')
      expect(error.hint).toContain('larger context')
    })

    it('go on without tools where they know none', async () => {
      const opened = await open(model)
      const parameters = { type: 'object', properties: {} }
      const tools = [{ name: 'look_up', description: 'Looks something up.', parameters }]
      const { text, toolCalls } = await opened.complete({
        messages: question,
        maxTokens: 40,
        tools,
        think: false,
      })
      expect(text !== '' || toolCalls.length > 0).toBe(true)
    })

    it.skipIf(!embeddingModel)('are named as what they are when they do not chat', async () => {
      const error = await failureOf(
        (await open(embeddingModel!)).complete({ messages: question, maxTokens: 5 }),
      )
      expect(error.message).toBe(`${embeddingModel} does not chat: it only makes embeddings`)
      expect(error.hint).toContain('language_model.model')
    })
  })
}
