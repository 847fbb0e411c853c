import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOpenAiEmbedder } from '../../src/embedding/openai.ts'
import { tokensAtMost } from '../../src/text/token-bound.ts'
import { describeEmbedder } from '../contracts/embedder.ts'
import type { EmbeddingService } from '../stand-ins/embedding-service.ts'
import { OPENAI_TEST_KEY, startOpenAi } from '../stand-ins/openai-embeddings.ts'
import { describeTroubles } from './troubles.ts'

const repository = resolve(import.meta.dirname, '../..')

const open = (service: EmbeddingService, options: object = {}) =>
  openOpenAiEmbedder({ url: `${service.url}/v1`, apiKey: OPENAI_TEST_KEY, ...options })

const standIn = await startOpenAi()
afterAll(() => standIn.close())
describeEmbedder('OpenAI stand-in', () => open(standIn), { understands: false })

const bare = await startOpenAi({ key: 'none', bare: true, models: ['homemade'], dimensions: 77 })
afterAll(() => bare.close())
describeEmbedder(
  'a compatible service that reports no usage, lists no models and knows plain numbers only',
  () => openOpenAiEmbedder({ url: `${bare.url}/v1`, model: 'homemade' }),
  { understands: false },
)

const realUrl = process.env['RALPH_TEST_OPENAI_URL']
if (realUrl) {
  const apiKey = process.env['RALPH_TEST_OPENAI_KEY']
  const model = process.env['RALPH_TEST_OPENAI_MODEL'] ?? 'text-embedding-3-small'
  describeEmbedder(
    `OpenAI at ${realUrl}, ${model}`,
    () => openOpenAiEmbedder({ url: realUrl, model, ...(apiKey && { apiKey }) }),
    { understands: true },
  )
}

describeTroubles('OpenAI', startOpenAi, (service, timeouts) => open(service, timeouts))

describe('OpenAI embedder', () => {
  let service: EmbeddingService

  beforeEach(async () => {
    service = await startOpenAi({ models: ['text-embedding-3-small', 'text-embedding-3-large', 'homemade'] })
  })
  afterEach(() => service.close())

  it('counts tokens as reported and what they cost', async () => {
    const embedder = await open(service)
    await embedder.embed(['word '.repeat(1_000).trim()], 'document')
    expect(embedder.usage).toEqual({ requests: 1, texts: 1, tokens: 1_000, costUsd: 0.00002 })
  })

  it('sends no more tokens at once than the service takes', async () => {
    const embedder = await open(service)
    const long = 'some ordinary prose about a failing migration '.repeat(200)
    await embedder.embed(
      Array.from({ length: 40 }, () => long),
      'document',
    )
    const sent = service.requests.flatMap(({ body }) => (body['input'] ? [body['input'] as string[]] : []))
    for (const part of sent) expect(tokensAtMost(part.join('\n'))).toBeLessThan(8_300)
    expect(sent.flat()).toHaveLength(40)
  })

  it('sends no more texts at once than the service takes', async () => {
    const embedder = await open(service)
    await embedder.embed(
      Array.from({ length: 70 }, (_, index) => `note ${index}`),
      'document',
    )
    expect(service.requests.map(({ body }) => (body['input'] as string[]).length)).toEqual([32, 32, 6])
  })

  it('cuts a text that is longer than the model reads', async () => {
    const embedder = await open(service)
    expect(
      await embedder.embed(['日本語 '.repeat(40_000), '{"k":1}'.repeat(20_000)], 'document'),
    ).toHaveLength(2)
  })

  it('says what is missing before anything is sent', async () => {
    await expect(openOpenAiEmbedder({})).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('OPENAI_API_KEY'),
    })
  })

  it('works with services that want no key and answer in plain numbers', async () => {
    const local = await startOpenAi({ key: 'none', models: ['homemade'], dimensions: 77 })
    const plain = await openOpenAiEmbedder({ url: `${local.url}/v1`, model: 'homemade' })
    expect(plain.dimensions).toBe(77)
    local.next({ body: { data: [{ index: 0, embedding: Array.from({ length: 77 }, () => 2) }] } })
    const [vector] = await plain.embed(['x'], 'query')
    expect(vector![0]).toBeCloseTo(1 / Math.sqrt(77))
    await local.close()
  })

  it('tells a used-up account from a rate limit', async () => {
    const embedder = await open(service)
    service.next({ status: 429, code: 'insufficient_quota' })
    await expect(embedder.embed(['x'], 'document')).rejects.toMatchObject({
      code: 'limit_reached',
      retryable: false,
      hint: expect.stringContaining('local'),
    })
    expect(service.requests).toHaveLength(1)
  })

  it('names the model the service does not have', async () => {
    await expect(open(service, { model: 'text-embedding-4' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('text-embedding-4'),
      hint: expect.stringContaining('embedder.model'),
    })
  })

  it('tells an address without its path from a model that is not there', async () => {
    await expect(openOpenAiEmbedder({ url: service.url, model: 'homemade' })).rejects.toMatchObject({
      code: 'unavailable',
      hint: `Set embedder.url to ${service.url}/v1`,
    })
  })

  it('says what to install when its library is not there', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'ralph-without-openai-'))
    cpSync(join(repository, 'src'), join(copy, 'src'), { recursive: true })
    mkdirSync(join(copy, 'node_modules'))
    symlinkSync(join(repository, 'node_modules/zod'), join(copy, 'node_modules/zod'))
    writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(copy, 'main.ts'),
      `import { openOpenAiEmbedder } from './src/embedding/openai.ts'
       openOpenAiEmbedder({ apiKey: 'sk-x' }).catch(({ code, hint }) => console.log(JSON.stringify({ code, hint })))`,
    )
    const { stdout } = await promisify(execFile)(process.execPath, [join(copy, 'main.ts')], { cwd: copy })
    expect(JSON.parse(stdout)).toEqual({ code: 'missing_dependency', hint: 'Run: npm install openai' })
    rmSync(copy, { recursive: true })
  })

  it('says which key was refused where', async () => {
    const embedder = await openOpenAiEmbedder({ url: `${service.url}/v1`, apiKey: 'sk-wrong' })
    const health = await embedder.check()
    expect(health).toMatchObject({ ok: false, hint: expect.stringContaining('OPENAI_API_KEY') })
    expect(health.detail).toContain('refused the key (401)')
    expect(health.detail).not.toContain('sk-wrong')
  })
})
