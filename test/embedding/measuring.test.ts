import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TELLS_NOTHING, UNMEASURED } from '../../src/embedding/calibration.ts'
import { GRADED_NOTES } from '../../src/embedding/calibration-pairs.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { MeasuredModels } from '../../src/embedding/measured.ts'
import { openOllamaEmbedder } from '../../src/embedding/ollama.ts'
import { openOpenAiEmbedder } from '../../src/embedding/openai.ts'
import { Notices } from '../../src/notices.ts'
import { Meaning } from '../../src/retrieval/meaning.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { OPENAI_TEST_KEY, startOpenAi } from '../stand-ins/openai-embeddings.ts'
import { temporaryFolder } from '../support/temporary.ts'

const TEXTS = GRADED_NOTES.length * 5

/** The same file with other points for every model in it. */
function turned(text: string, calibration: number[][]): string {
  const models = Object.entries(JSON.parse(text) as { [key: string]: object })
  return JSON.stringify(Object.fromEntries(models.map(([key, model]) => [key, { ...model, calibration }])))
}

/** A known model: it opens without a request. */
async function nomic({ digest = 'first', timeouts = {} } = {}) {
  const model = { name: 'nomic-embed-text', capabilities: ['embedding' as const], digest }
  const service = await startOllama({ models: [model] })
  onTestFinished(() => service.close())
  const file = join(await temporaryFolder(), 'models.json')
  const open = () => openOllamaEmbedder({ url: service.url, measured: new MeasuredModels(file), timeouts })
  const asked = () => service.requests.splice(0).map(({ path }) => path)
  return { service, model, open, asked, file }
}

describe('measuring a model', () => {
  it('is left until somebody needs a score', async () => {
    const { open, asked } = await nomic()
    const embedder = await open()
    await embedder.embed(['a note'], 'document')
    expect(asked()).toEqual(['/api/embed'])
    expect(embedder.calibration).toBe(UNMEASURED)
  })

  it('happens once for all processes, and again when the model is another', async () => {
    const { model, open, asked } = await nomic()
    const first = await open()
    await first.calibrate!('document')
    expect(asked()).toEqual(['/api/tags', ...Array.from({ length: 4 }, () => '/api/embed')])
    expect(first.calibration).not.toEqual(UNMEASURED)
    await first.calibrate!('query')
    expect(asked()).toEqual([])

    const second = await open()
    await second.calibrate!('query')
    expect(asked()).toEqual(['/api/tags'])
    expect(second.calibration).toEqual(first.calibration)

    model.digest = 'second'
    await (await open()).calibrate!('document')
    expect(asked()).toHaveLength(5)
  })

  it.each([
    ['nothing that can be read', () => '{"half'],
    ['something else', () => '[1, 2]'],
    [
      'points that turn scores round',
      (text: string) =>
        turned(text, [
          [0.2, 0.9],
          [0.9, 0.1],
        ]),
    ],
    [
      'points that no cosine reaches',
      (text: string) =>
        turned(text, [
          [7, 0],
          [9, 1],
        ]),
    ],
  ])('happens again where the file of it holds %s', async (_, damage) => {
    const { open, asked, file } = await nomic()
    const first = await open()
    await first.calibrate!('document')
    writeFileSync(file, damage(readFileSync(file, 'utf8')))
    asked()
    const second = await open()
    await second.calibrate!('document')
    expect(asked().filter((path) => path === '/api/embed').length).toBeGreaterThan(0)
    expect(second.calibration).toEqual(first.calibration)
    const third = await open()
    await third.calibrate!('query')
    expect(asked()).toEqual(['/api/tags'])
    expect(third.calibration).toEqual(first.calibration)
  })

  it('tells whoever looks what scores are worth, and asks nobody for it', async () => {
    const { open } = await nomic()
    const embedder = await open()
    expect((await embedder.check()).detail).toMatch(/, scores estimated until it is measured/)
    await embedder.calibrate!('document')
    const measured = embedder.calibration === TELLS_NOTHING ? /words decide$/ : /, scores measured$/
    expect((await embedder.check()).detail).toMatch(measured)
    expect((await (await open()).check()).detail).toMatch(measured)
  })

  it('leaves the identity of vectors alone, so that no index is built again', async () => {
    const { open } = await nomic()
    const embedder = await open()
    const { id } = embedder
    await embedder.calibrate!('document')
    expect(embedder.id).toBe(id)
    expect((await open()).id).toBe(id)
  })

  it('is asked for once by all who need it at the same time', async () => {
    const { open, asked } = await nomic()
    const embedder = await open()
    await Promise.all([
      embedder.calibrate!('document'),
      embedder.calibrate!('query'),
      embedder.calibrate!('document'),
    ])
    expect(asked().filter((path) => path === '/api/embed')).toHaveLength(4)
  })

  it('is paid for like anything else', async () => {
    const service = await startOpenAi()
    onTestFinished(() => service.close())
    const embedder = await openOpenAiEmbedder({ url: `${service.url}/v1`, apiKey: OPENAI_TEST_KEY })
    await embedder.calibrate!('document')
    const { texts, tokens, costUsd, requests } = embedder.usage
    expect({ texts, requests }).toEqual({ texts: TEXTS, requests: 3 })
    expect(tokens).toBeGreaterThan(TEXTS)
    expect(costUsd).toBeCloseTo((tokens * 0.02) / 1_000_000, 12)
  })

  it('does not try again at once what has failed, and goes on with the estimate', async () => {
    const { service, open, asked } = await nomic()
    const embedder = await open()
    service.next({ status: 422, message: 'no' })
    await expect(embedder.calibrate!('document')).rejects.toMatchObject({ code: 'invalid_input' })
    expect(asked()).toEqual(['/api/tags', '/api/embed'])
    await expect(embedder.calibrate!('document')).rejects.toMatchObject({ code: 'invalid_input' })
    expect(asked()).toEqual([])
    expect(embedder.calibration).toBe(UNMEASURED)
    // Another process, or a later one, is free to.
    const later = await open()
    await later.calibrate!('document')
    expect(later.calibration).not.toEqual(UNMEASURED)
  })

  it('does not let anybody wait twice for a service that hangs', async () => {
    const { service, open, asked } = await nomic({ timeouts: { embedMs: 1_000, checkMs: 1_000 } })
    const embedder = await open()
    await embedder.embed(['a note'], 'document')
    asked()
    service.hang(true)
    await expect(embedder.calibrate!('document')).rejects.toMatchObject({ code: 'timeout' })
    expect(asked()).toHaveLength(1)
    await expect(embedder.calibrate!('query')).rejects.toMatchObject({ code: 'timeout' })
    await expect(embedder.embed(['a note'], 'query')).rejects.toThrow(/left alone/)
    expect(asked()).toEqual([])
  })

  it('is left by questions to those who have time, where it takes long', async () => {
    const { service, open, asked } = await nomic()
    const hurried = await open()
    service.next({ delayMs: 60_000 })
    await expect(hurried.calibrate!('query')).rejects.toMatchObject({ code: 'timeout' })
    await hurried.close()
    asked()
    const next = await open()
    await next.calibrate!('query')
    expect(asked()).toEqual(['/api/tags'])
    expect(next.calibration).toBe(UNMEASURED)
    await next.calibrate!('document')
    expect(next.calibration).not.toEqual(UNMEASURED)
  })

  it('ends with whoever wanted it', async () => {
    const { service, open } = await nomic()
    const embedder = await open()
    service.next({ delayMs: 60_000 })
    const cancel = new AbortController()
    const measuring = embedder.calibrate!('document', cancel.signal)
    cancel.abort()
    await expect(measuring).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('scores of a model that could not be measured', () => {
  it('are estimates, which is said once, and no answer is missing for it', async () => {
    const { service, open } = await nomic()
    const said: string[] = []
    const embedder: Promise<Embedder> = open()
    const notices = new Notices(({ message, harmless }) => said.push(`${harmless}: ${message}`))
    const meaning = new Meaning({ embedder: () => embedder, notices })
    service.next({ vectors: (vectors) => vectors }, { status: 422, message: 'no' })
    for (let time = 0; time < 2; time++) {
      const { vector, calibration } = await meaning.ofQuestion([{ text: 'where is it?', weight: 1 }])
      expect(vector).toHaveLength(768)
      expect(calibration).toBe(UNMEASURED)
    }
    expect(said).toEqual([expect.stringMatching(/^true: .*nomic-embed-text.*estimates/)])
  })
})
