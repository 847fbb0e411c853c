import { expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { ServiceWork } from '../../src/services/service-work.ts'
import { SilentServices } from '../../src/services/silent-services.ts'

const SERVER = { name: 'Ollama', url: 'http://127.0.0.1:11434' }
const late = () => Promise.reject(new RalphError('timeout', 'late', { retryable: true }))
const fine = async () => 'fine'

function opened() {
  const silent = new SilentServices()
  return ['all-minilm', 'qwen3'].map((model) => new ServiceWork(silent, { ...SERVER, model })) as [
    ServiceWork,
    ServiceWork,
  ]
}

it('keeps nobody from a model because another one is slow', async () => {
  const [embedding, chat] = opened()
  await expect(embedding.do(late)).rejects.toThrow('late')
  await expect(embedding.do(fine)).rejects.toThrow(/left alone/)
  expect(await embedding.look(fine)).toBe('fine')
  expect(await chat.do(fine)).toBe('fine')
  expect([embedding.isLeftAlone, chat.isLeftAlone]).toEqual([true, false])
  expect(await embedding.doAnyway(fine)).toBe('fine')
  expect(await embedding.do(fine)).toBe('fine')
})

it('leaves all work of a server alone that says nothing at all, until a check hears it', async () => {
  const [embedding, chat] = opened()
  await expect(embedding.look(late)).rejects.toThrow('late')
  for (const ask of [embedding.do(fine), chat.do(fine), chat.look(fine)])
    await expect(ask).rejects.toThrow(/left alone/)
  expect(await chat.lookAnyway(fine)).toBe('fine')
  expect(await embedding.do(fine)).toBe('fine')
})

it('may be resumed by who knows better', async () => {
  const [embedding] = opened()
  await expect(embedding.do(late)).rejects.toThrow('late')
  embedding.resume()
  expect(await embedding.do(fine)).toBe('fine')
})
