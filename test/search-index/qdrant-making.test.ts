import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { Notices } from '../../src/notices.ts'
import { openQdrantIndex, type QdrantIndexOptions } from '../../src/search-index/qdrant.ts'
import { type QdrantStandIn, startQdrant } from '../stand-ins/qdrant.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { countOf, document, spec } from './documents.ts'

/** A server that takes its time to make a collection, and meanwhile says that it is there, and empty. */
async function start(makingMs = 120): Promise<QdrantStandIn> {
  const server = await startQdrant()
  server.makingMs = makingMs
  onTestFinished(() => server.close())
  return server
}
function open(options: QdrantIndexOptions) {
  const index = openQdrantIndex(options)
  onTestFinished(() => index.close())
  return index
}

describe.each([{ tenants: false }, { tenants: true }])(
  'a collection that is being made ($tenants)',
  ({ tenants }) => {
    it('by several at once is one, with what each of them wrote, and their number', async () => {
      const server = await start()
      const found = await Promise.all(
        ['one', 'two', 'three', 'four'].map(async (what) => {
          const index = open({ url: server.url, tenants })
          await index.write(spec('a'), { put: [document(what, `login ${what}`)] })
          return index.search('a', { text: what, limit: 5 })
        }),
      )
      for (const evidence of found) expect(evidence.some(({ coverage }) => coverage === 1)).toBe(true)
      const later = open({ url: server.url, tenants })
      expect(await countOf(later, 'a')).toBe(4)
      // Whoever writes next knows how many there are.
      await later.write(spec('a'), { put: [document('five', 'login five')] })
      const [evidence] = await later.search('a', { text: 'five', limit: 5 })
      expect(evidence).toMatchObject({ among: 5 })
    })

    it('by two searches at once is searched by both, whole', async () => {
      const server = await start()
      const folder = await temporaryFolder()
      const memory = () =>
        new FeatureMemory({
          project: folder,
          memoryDir: join(folder, 'memory'),
          cacheDir: folder,
          index: open({ url: server.url, tenants }),
          embedder: async () => new FakeEmbedder(),
          notices: new Notices(() => undefined),
        })
      for (let at = 0; at < 6; at++)
        await memory().recordIteration(
          newIteration({ feature: 'auth', summary: `The cookie no${at} expired` }),
        )
      const found = await Promise.all(
        Array.from(
          { length: 4 },
          async () => (await memory().search('auth', 'cookie', { minScore: 0 })).length,
        ),
      )
      expect(found).toEqual([6, 6, 6, 6])
    })

    it('and whose maker died over it is finished by the next one', async () => {
      const server = await start(0)
      server.trouble = ({ method, path }) =>
        method === 'PUT' && /\/(index|points)$/.test(path)
          ? { status: 500, body: '{"status":{"error":"killed"}}' }
          : undefined
      await expect(open({ url: server.url, tenants }).write(spec('a'), {})).rejects.toThrow('killed')
      server.trouble = undefined
      const index = open({ url: server.url, tenants })
      expect(await index.search('a', { text: 'login', limit: 5 })).toEqual([])
      await index.write(spec('a'), { put: [document('one', 'login')] })
      expect(await index.search('a', { text: 'login', limit: 5 })).toHaveLength(1)
    })
  },
)
