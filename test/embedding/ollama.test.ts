import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { MeasuredModels } from '../../src/embedding/measured.ts'
import { openOllamaEmbedder } from '../../src/embedding/ollama.ts'
import { SilentServices } from '../../src/services/silent-services.ts'
import { tokensAtMost } from '../../src/text/token-bound.ts'
import { cosine, describeEmbedder } from '../contracts/embedder.ts'
import type { EmbeddingService } from '../stand-ins/embedding-service.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { describeNames } from './ollama-names.ts'
import { describeTroubles } from './troubles.ts'

const standIn = await startOllama()
afterAll(() => standIn.close())
describeEmbedder('Ollama stand-in', () => openOllamaEmbedder({ url: standIn.url }), { understands: false })

const realUrl = process.env['RALPH_TEST_OLLAMA_URL']
if (realUrl) {
  const model = process.env['RALPH_TEST_OLLAMA_MODEL'] ?? 'nomic-embed-text'
  const chatModel = process.env['RALPH_TEST_OLLAMA_CHAT_MODEL']
  const open = (name = model) => openOllamaEmbedder({ url: realUrl, model: name })
  describeEmbedder(`Ollama at ${realUrl}, ${model}`, () => open(), { understands: true })
  describeNames(`Ollama at ${realUrl}`, open, { model, chatModel })
}

describeNames(
  'Ollama stand-in',
  async (model) => {
    const ollama = await startOllama({ models: ['all-minilm', { name: 'smollm2:135m' }], dimensions: 384 })
    onTestFinished(() => ollama.close())
    return openOllamaEmbedder({ url: ollama.url, model })
  },
  { model: 'all-minilm', chatModel: 'smollm2:135m' },
)

describeTroubles('Ollama', startOllama, ({ url }, timeouts) => openOllamaEmbedder({ url, ...timeouts }))

describe('Ollama embedder', () => {
  let service: EmbeddingService

  beforeEach(async () => {
    service = await startOllama({
      models: ['nomic-embed-text:latest', 'mxbai-embed-large:335m', 'homemade:latest'],
    })
  })
  afterEach(() => service.close())

  const inputs = () =>
    service.requests.filter(({ path }) => path === '/api/embed').map(({ body }) => body['input'])

  it('opens a known model without asking', async () => {
    const embedder = await openOllamaEmbedder({ url: service.url })
    expect(embedder).toMatchObject({ model: 'nomic-embed-text', dimensions: 768 })
    expect(embedder.id).toContain('ollama')
    expect(service.requests).toEqual([])
  })

  it.each([
    ['nomic-embed-text', 'search_query: where?', 'search_document: here'],
    ['mxbai-embed-large:335m', 'Represent this sentence for searching relevant passages: where?', 'here'],
    ['homemade', 'where?', 'here'],
  ])('puts before a text what %s was trained with', async (model, query, document) => {
    const wide = await startOllama({ models: [model], dimensions: model.startsWith('mxbai') ? 1024 : 768 })
    const embedder = await openOllamaEmbedder({ url: wide.url, model })
    await embedder.embed(['where?'], 'query')
    await embedder.embed(['here'], 'document')
    expect(wide.requests.slice(-2).map(({ body }) => body['input'])).toEqual([[query], [document]])
    await wide.close()
  })

  it('asks an unknown model for its dimensions', async () => {
    const odd = await startOllama({ models: ['homemade'], dimensions: 99 })
    const embedder = await openOllamaEmbedder({ url: odd.url, model: 'homemade' })
    expect(embedder.dimensions).toBe(99)
    odd.next({ dimensions: 12 })
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(/12 dimensions where 99 belong/)
    await odd.close()
  })

  it('checks in three steps: reachable, model there, embeds', async () => {
    const health = await (await openOllamaEmbedder({ url: service.url })).check()
    expect(health).toEqual({
      ok: true,
      detail: `Ollama 0.34.4 at ${service.url}, scores estimated until it is measured by the next search or record`,
    })
    expect(service.requests.map(({ path }) => path)).toEqual(['/api/version', '/api/show', '/api/embed'])
  })

  it('says how to get a missing model', async () => {
    const embedder = await openOllamaEmbedder({ url: service.url, model: 'mxbai-embed-large' })
    const { ok, detail, hint } = await embedder.check()
    expect({ ok, said: `${detail}. ${hint}` }).toEqual({
      ok: false,
      said: 'mxbai-embed-large not found. Run: ollama pull mxbai-embed-large',
    })
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'not_found',
      hint: 'Run: ollama pull mxbai-embed-large',
    })
  })

  it('shortens what a server refuses although it promises to cut, and nothing else of the batch', async () => {
    const narrow = await startOllama({ refuses: 600 })
    const embedder = await openOllamaEmbedder({ url: narrow.url })
    const other = `${'a fact '.repeat(80)}and its end`
    const [long, short, whole] = await embedder.embed(['migration '.repeat(300), 'short', other], 'document')
    const [shortAlone, wholeAlone] = await embedder.embed(['short', other], 'document')
    expect(cosine(short!, shortAlone!)).toBeCloseTo(1, 5)
    expect(cosine(whole!, wholeAlone!)).toBeCloseTo(1, 5)
    expect(long).toHaveLength(768)
    await narrow.close()
  })

  it('sends texts by their tokens, not only by their number', async () => {
    const embedder = await openOllamaEmbedder({ url: service.url })
    const long = 'some ordinary prose about a failing migration '.repeat(100)
    const texts = [...Array.from({ length: 4 }, () => long), ...Array.from({ length: 12 }, () => 'x')]
    await embedder.embed(texts, 'document')
    const sent = inputs() as string[][]
    expect(sent.flat()).toHaveLength(16)
    expect(sent.length).toBeGreaterThan(1)
    for (const part of sent) expect(tokensAtMost(part.join('\n'))).toBeLessThan(2_100)
  })

  it('tries in halves what takes too long at once, as long as the server answers', async () => {
    const embedder = await openOllamaEmbedder({ url: service.url, timeouts: { embedMs: 1_000 } })
    service.next({ hang: true }, { hang: true })
    const texts = ['one', 'two', 'three', 'four']
    const vectors = await embedder.embed(texts, 'document')
    expect(inputs().map((part) => (part as string[]).length)).toEqual([4, 2, 1, 1, 2])
    for (const [at, text] of texts.entries()) {
      const [alone] = await embedder.embed([text], 'document')
      expect(cosine(vectors[at]!, alone!)).toBeCloseTo(1, 5)
    }
  })

  it('waits for a server that hangs no longer than it takes to see that', async () => {
    const embedder = await openOllamaEmbedder({
      url: service.url,
      timeouts: { embedMs: 1_000, checkMs: 1_000 },
    })
    service.hang(true)
    await expect(embedder.embed(['one', 'two', 'three'], 'document')).rejects.toMatchObject({
      code: 'timeout',
    })
    expect(inputs()).toHaveLength(1)
    const asked = service.requests.length
    await expect(embedder.embed(['one', 'two'], 'document')).rejects.toThrow(/left alone/)
    expect(service.requests).toHaveLength(asked)
    // Of a long text nothing is sent before somebody has answered.
    const patient = await openOllamaEmbedder({ url: service.url, timeouts: { checkMs: 100 } })
    const long = 'some ordinary prose about a failing migration '.repeat(200)
    await expect(patient.embed([long], 'document')).rejects.toMatchObject({ code: 'timeout' })
    expect(inputs()).toHaveLength(1)
  })

  it('hears of a crashed runner as of a passing trouble', async () => {
    const message = 'do embedding request: Post "http://127.0.0.1:41234/v1/embeddings": EOF'
    const embedder = await openOllamaEmbedder({ url: service.url })
    service.next({ status: 400, message })
    expect(await embedder.embed(['x'], 'query')).toHaveLength(1)
    service.next({ status: 400, message: 'invalid input type' })
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'invalid_input',
      retryable: false,
    })
  })

  it('measures a model once for all processes, and again when it is another', async () => {
    const file = join(await temporaryFolder(), 'models.json')
    const model = { name: 'homemade', capabilities: ['embedding' as const], digest: 'first' }
    const odd = await startOllama({ models: [model], dimensions: 99 })
    onTestFinished(() => odd.close())
    const open = async (name = 'homemade') => {
      odd.requests.length = 0
      const { dimensions } = await openOllamaEmbedder({
        url: odd.url,
        model: name,
        measured: new MeasuredModels(file),
      })
      return { dimensions, asked: odd.requests.map(({ path }) => path) }
    }
    const { asked, ...first } = await open()
    expect(asked).toEqual(['/api/tags', '/api/embed'])
    expect(await open('library/Homemade:latest')).toEqual({ ...first, asked: ['/api/tags'] })
    writeFileSync(file, '{"half')
    expect((await open()).asked).toHaveLength(2)
    model.digest = 'second'
    expect((await open()).asked).toHaveLength(2)
    expect((await open()).asked).toEqual(['/api/tags'])
  })

  it('lets a model be loaded on although a search has no more time for it', async () => {
    const embedder = await openOllamaEmbedder({ url: service.url })
    service.next({ hang: true })
    const stop = new AbortController()
    const asked = embedder.embed(['x'], 'query', stop.signal).catch(({ code }) => code)
    while (inputs().length === 0) await new Promise(setImmediate)
    stop.abort(new DOMException('no more time', 'TimeoutError'))
    expect(await asked).toBe('timeout')
    expect(service.waiting()).toBe(1)
  })

  it('asks for a model that was never measured also where its server is left alone', async () => {
    const silent = new SilentServices()
    const open = () =>
      openOllamaEmbedder({ url: service.url, model: 'homemade', silent, timeouts: { checkMs: 1_000 } })
    service.hang(true)
    for (let again = 0; again < 2; again++) await expect(open()).rejects.toMatchObject({ code: 'timeout' })
    expect(silent.leftAloneMs(service.url)).toBeGreaterThan(0)
    service.hang(false)
    expect(await open()).toMatchObject({ dimensions: 768 })
    expect(silent.leftAloneMs(service.url)).toBe(0)
  })

  it('measures anew what has turned out to be another model', async () => {
    const file = join(await temporaryFolder(), 'models.json')
    const measured = new MeasuredModels(file)
    const ollama = await startOllama({ models: ['homemade'] })
    onTestFinished(() => ollama.close())
    const open = () => openOllamaEmbedder({ url: ollama.url, model: 'homemade', measured })
    ollama.next({ dimensions: 12 })
    const embedder = await open()
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(/768 dimensions where 12 belong/)
    expect((await open()).dimensions).toBe(768)
  })

  it('sends no more than a long text’s beginning', async () => {
    const embedder = await openOllamaEmbedder({ url: service.url })
    await embedder.embed(['word '.repeat(100_000)], 'document')
    expect((inputs()[0] as string[])[0]!.length).toBeLessThan(20_000)
  })

  it('writes nothing to standard output when the server answers with a page', async () => {
    const written: unknown[] = []
    const { log } = console
    console.log = (...words) => written.push(words)
    try {
      service.next({ page: 502 }, { page: 502 })
      const embedder = await openOllamaEmbedder({ url: service.url })
      await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      console.log = log
    }
    expect(written).toEqual([])
  })
})
