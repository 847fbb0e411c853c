import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOllamaEmbedder } from '../../src/embedding/ollama.ts'
import { cosine, describeEmbedder } from '../contracts/embedder.ts'
import type { EmbeddingService } from '../stand-ins/embedding-service.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { describeTroubles } from './troubles.ts'

const standIn = await startOllama()
afterAll(() => standIn.close())
describeEmbedder('Ollama stand-in', () => openOllamaEmbedder({ url: standIn.url }), { understands: false })

const realUrl = process.env['RALPH_TEST_OLLAMA_URL']
if (realUrl) {
  const model = process.env['RALPH_TEST_OLLAMA_MODEL'] ?? 'nomic-embed-text'
  describeEmbedder(`Ollama at ${realUrl}, ${model}`, () => openOllamaEmbedder({ url: realUrl, model }), {
    understands: true,
  })
}

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

  it('asks an unknown model for its dimensions and for its idea of unrelated texts', async () => {
    const odd = await startOllama({ models: ['homemade'], dimensions: 99 })
    const embedder = await openOllamaEmbedder({ url: odd.url, model: 'homemade' })
    expect(embedder.dimensions).toBe(99)
    const [first] = embedder.calibration
    const other = await openOllamaEmbedder({ url: odd.url })
    expect(first![0]).toBeLessThan(other.calibration[0]![0])
    odd.next({ dimensions: 12 })
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(/12 dimensions where 99 belong/)
    await odd.close()
  })

  it('checks in three steps: reachable, model there, embeds', async () => {
    const health = await (await openOllamaEmbedder({ url: service.url })).check()
    expect(health).toEqual({ ok: true, detail: `Ollama 0.12.3 at ${service.url}` })
    expect(service.requests.map(({ path }) => path)).toEqual(['/api/version', '/api/tags', '/api/embed'])
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

  it('shortens what a server refuses although it promises to cut', async () => {
    const narrow = await startOllama({ context: 600 })
    const embedder = await openOllamaEmbedder({ url: narrow.url })
    const [long, short] = await embedder.embed(['migration '.repeat(300), 'short'], 'document')
    const [alone] = await embedder.embed(['short'], 'document')
    expect(cosine(short!, alone!)).toBeCloseTo(1, 5)
    expect(long).toHaveLength(768)
    await narrow.close()
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
