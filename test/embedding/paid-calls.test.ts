import { expect, it, onTestFinished } from 'vitest'
import { openOpenAiEmbedder } from '../../src/embedding/openai.ts'
import type { Misbehaviour } from '../stand-ins/embedding-service.ts'
import { OPENAI_TEST_KEY, type OpenAiStandInOptions, startOpenAi } from '../stand-ins/openai-embeddings.ts'
import { keptBooks } from '../support/kept-books.ts'

async function started(options: OpenAiStandInOptions = {}) {
  const service = await startOpenAi(options)
  onTestFinished(() => service.close())
  const { calls, books } = keptBooks()
  const embedder = await openOpenAiEmbedder({
    url: `${service.url}/v1`,
    apiKey: OPENAI_TEST_KEY,
    timeouts: { embedMs: 400 },
    calls,
  })
  return { service, books, embedder }
}

it('counts what the service says, at most what was set aside', async () => {
  const { books, embedder } = await started()
  await embedder.embed(['Where is the timeout set?', 'In net.ts.'], 'document')
  expect(books).toMatchObject([
    { purpose: 'embedding', model: 'openai:text-embedding-3-small', settled: { isEstimate: false } },
  ])
  const [{ worstUsd, settled }] = books as [(typeof books)[0]]
  expect(settled?.costUsd).toBeCloseTo((settled!.inputTokens * 0.02) / 1e6, 15)
  expect(worstUsd).toBeGreaterThanOrEqual(settled!.costUsd!)
})

it.each<[string, Misbehaviour, boolean]>([
  ['fails', { status: 500 }, true],
  ['hangs', { hang: true }, true],
  ['answers half', { cut: true }, true],
  ['refuses the rate', { status: 429 }, false],
  ['refuses the key', { status: 401 }, false],
])('when it %s, each attempt is counted by whether it may have been charged', async (_, how, isCharged) => {
  const { service, books, embedder } = await started()
  service.next(how)
  await embedder.embed(['A question.'], 'query').catch(() => undefined)
  expect(books[0]).toMatchObject({ settled: isCharged ? { isEstimate: true } : null })
  expect(books.length).toBe(service.requests.filter(({ path }) => path === '/v1/embeddings').length)
})

it('is asked without a word that it does not know, once, and learns its dimensions from the answer', async () => {
  const service = await startOpenAi({ refuses: 'encoding_format', models: ['homemade'], dimensions: 33 })
  onTestFinished(() => service.close())
  const { calls, books } = keptBooks()
  const embedder = await openOpenAiEmbedder({
    url: `${service.url}/v1`,
    apiKey: OPENAI_TEST_KEY,
    model: 'homemade',
    calls,
  })
  await embedder.embed(['One.'], 'document')
  expect(embedder.dimensions).toBe(33)
  const asked = service.requests.filter(({ path }) => path === '/v1/embeddings')
  expect(asked.map(({ body }) => 'encoding_format' in body)).toEqual([true, false, false])
  expect(asked.every(({ body }) => !('dimensions' in body))).toBe(true)
  // A price that nobody knows.
  expect(books).toMatchObject([{ worstUsd: undefined, settled: {} }, { worstUsd: undefined }])
})
