import { describe, expect, it } from 'vitest'
import type { Embedder } from '../../src/embedding/embedder.ts'

/** What a real Ollama and our stand-in make of the names of models. */
export function describeNames(
  name: string,
  open: (model: string) => Promise<Embedder>,
  { model, chatModel }: { model: string; chatModel: string | undefined },
): void {
  describe(`names of models: ${name}`, () => {
    it('one model in other letters, with its library or its tag makes the same vectors', async () => {
      const plain = model.includes(':') ? [model] : [model, `${model}:latest`]
      const spellings = [...plain, model.toUpperCase(), `library/${model}`]
      const ids = new Set<string>()
      for (const spelling of spellings) {
        const embedder = await open(spelling)
        ids.add(embedder.id)
        expect(await embedder.check(), spelling).toMatchObject({ ok: true })
      }
      expect(ids.size).toBe(1)
    })

    it.skipIf(!chatModel)('a model that only chats is named as such', async () => {
      await expect(open(chatModel!)).rejects.toMatchObject({
        code: 'invalid_input',
        message: `${chatModel} makes no embeddings: it is a model that chats`,
        hint: expect.stringContaining('embedder.model'),
      })
    })

    it('a model that is not there can be fetched', async () => {
      const missing = 'no-such-model-anywhere'
      await expect(open(missing)).rejects.toMatchObject({
        code: 'not_found',
        hint: `Run: ollama pull ${missing}`,
      })
    })
  })
}
