import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { isRalphError } from '../../src/errors.ts'
import { fuse } from '../../src/retrieval/fusion.ts'
import { ownedIndex } from '../../src/search-index/owned.ts'
import { openQdrantIndex, type QdrantIndexOptions } from '../../src/search-index/qdrant.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { hash32 } from '../../src/search-index/terms.ts'
import { searchTerms } from '../../src/text/words.ts'
import { describeQdrantServer } from '../contracts/qdrant-server.ts'
import { describeSearchIndex } from '../contracts/search-index.ts'
import {
  type QdrantStandIn,
  type QdrantStandInOptions,
  startQdrant,
  type Trouble,
} from '../stand-ins/qdrant.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { along, countOf, document, id, spec } from './documents.ts'

for (const tenants of [false, true]) {
  describeSearchIndex(`Qdrant (stand-in${tenants ? ', tenants' : ''})`, async () => {
    const server = await startQdrant()
    const options = { url: server.url, tenants }
    return {
      index: openQdrantIndex(options),
      reopen: async () => openQdrantIndex(options),
      discard: () => server.close(),
    }
  })
}

describeQdrantServer('Qdrant as it is (stand-in)', async () => {
  const keys = { apiKey: 'right', readOnlyKey: 'looking' }
  const { url, close } = await startQdrant(keys)
  return { url, ...keys, isOurs: true, close }
})

/** A real one: only what this run makes there is written and removed. */
const real = process.env['RALPH_TEST_QDRANT_URL']
if (real) {
  const apiKey = process.env['RALPH_TEST_QDRANT_KEY'] ?? process.env['RALPH_TEST_QDRANT_API_KEY']
  const run = randomBytes(4).toString('hex')
  for (const tenants of [false, true]) {
    describeSearchIndex(`Qdrant at ${real}${tenants ? ', tenants' : ''}`, async () => {
      const opened = () => ownedIndex(openQdrantIndex({ url: real, tenants, apiKey }), async () => run)
      await opened().reset()
      return {
        index: opened(),
        reopen: async () => opened(),
        discard: () => opened().reset(),
      }
    })
  }
  const readOnlyKey = process.env['RALPH_TEST_QDRANT_READ_ONLY_KEY']
  describeQdrantServer(`Qdrant as it is at ${real}`, async () => ({
    url: real,
    apiKey,
    readOnlyKey,
    isOurs: false,
    close: async () => undefined,
  }))
}

describe('Qdrant', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function start(options: QdrantStandInOptions = {}): Promise<QdrantStandIn> {
    const server = await startQdrant(options)
    closing.push(() => server.close())
    return server
  }
  function open(options: QdrantIndexOptions) {
    const index = openQdrantIndex(options)
    closing.push(() => index.close())
    return index
  }
  async function rejection(promise: Promise<unknown>) {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!isRalphError(error)) throw new Error(`expected a RalphError, got ${error}`)
    return error
  }

  it('connects to nothing before it is used', async () => {
    const server = await start()
    open({ url: server.url })
    expect(server.requests).toEqual([])
  })

  it('makes a collection of its own for each of ours, tuned and on disk', async () => {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('8d3f0a11-b04e99c2'), {})
    await index.write(spec('8d3f0a11-b04e99c2'), {
      put: [
        document('one', 'LoginForm', {
          axis: 1,
          payload: { kind: 'failure', number: 7, created: '2026-03-01T00:00:00Z', flag: true },
        }),
      ],
    })
    const { config, indexes } = server.collections.get('8d3f0a11-b04e99c2')!
    expect(config.vectors['meaning']).toMatchObject({
      distance: 'Cosine',
      on_disk: true,
      hnsw_config: { m: 64, ef_construct: 512, on_disk: true },
    })
    expect(config.sparse_vectors).toMatchObject({ words: { modifier: 'idf' } })
    expect(Object.fromEntries(indexes)).toMatchObject({
      kind: { type: 'keyword' },
      number: { type: 'float' },
      created: { type: 'datetime' },
      flag: { type: 'bool' },
    })
    await index.search('8d3f0a11-b04e99c2', { text: 'login', vector: along(1), limit: 5 })
    const batch = server.requests.findLast(({ path }) => path.endsWith('/query/batch'))
    expect(JSON.stringify(batch?.body)).toContain('"hnsw_ef":128')
  })

  it('with tenants needs two collections however many of ours there are', async () => {
    const server = await start()
    const index = open({ url: server.url, tenants: true })
    for (let at = 0; at < 5; at++) {
      await index.write(spec(`feature-${at}`), {})
      await index.write(spec(`feature-${at}`), { put: [document('same', `note ${at}`, { axis: 1 })] })
    }
    expect(server.collections.size).toBe(2)
    const shared = [...server.collections].find(([name]) => name !== 'ralph-tenants')![1]
    expect(shared.indexes.get('_ralph.tenant')).toMatchObject({ type: 'keyword', is_tenant: true })
    expect((await index.collections()).map(({ documents }) => documents)).toEqual([1, 1, 1, 1, 1])
    await index.drop('feature-2')
    expect((await index.collections()).map(({ name }) => name)).not.toContain('feature-2')
    expect(await countOf(index, 'feature-3')).toBe(1)
  })

  it('writes snapshots of what is ours', async () => {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('a'), {})
    expect(await index.backUp()).toEqual([{ collection: 'a', snapshot: 'a-1.snapshot' }])
  })

  it.each([false, true])('ranks like the embedded index (tenants: %s)', async (tenants) => {
    const server = await start()
    const qdrant = open({ url: server.url, tenants })
    const sqlite = openSqliteIndex({ path: `${await temporaryFolder()}/index.db` })
    closing.push(() => sqlite.close())
    const { notes, questions } = JSON.parse(
      readFileSync(new URL('../quality/notes/shop.json', import.meta.url), 'utf8'),
    ) as { notes: Record<string, string | string[]>[]; questions: { text: string }[] }
    const texts = notes.map((note) => Object.values(note).flat().join('\n'))
    const documents = texts.map((text, at) => ({ ...document(`${at}`, text), vector: bagOfWords(text) }))
    for (const index of [qdrant, sqlite]) {
      await index.write(spec('other'), {})
      await index.write(spec('other'), { put: documents.slice(0, 30) })
      await index.write(spec('a'), {})
      await index.write(spec('a'), { put: documents })
      await index.write(spec('a'), { remove: [id('5')] })
    }
    const calibration = [
      [0, 0],
      [1, 1],
    ] as const
    const topTen = async (index: SearchIndex, text: string) => {
      const evidence = await index.search('a', { text, vector: bagOfWords(text), limit: 10 })
      return fuse(evidence, { calibration, limit: 10, minScore: 0 }).map(({ payload }) => payload['name'])
    }
    let same = 0
    for (const { text } of questions) {
      if (isDeepStrictEqual(await topTen(qdrant, text), await topTen(sqlite, text))) same++
    }
    expect(same / questions.length).toBeGreaterThanOrEqual(0.95)
  })

  describe('says what is wrong and how to mend it when', () => {
    const html: Trouble = () => ({
      status: 200,
      body: '<html>Sign in to the hotel network</html>',
      headers: { 'content-type': 'text/html' },
    })
    const always =
      (status: number, body = '{"status":{"error":"no"}}'): Trouble =>
      () => ({ status, body })

    it.each<[string, Trouble, Record<string, unknown>]>([
      [
        'a proxy answers with a page',
        html,
        { code: 'unavailable', hint: expect.stringContaining('index.url') },
      ],
      ['the gateway is broken', always(502, '<html>Bad gateway</html>'), { code: 'unavailable' }],
      ['it answers with half a JSON', always(200, '{"resu'), { code: 'unavailable' }],
      ['its disk is full', always(500), { code: 'unavailable', retryable: true }],
      ['it refuses what we ask', always(400), { message: expect.stringContaining('no') }],
    ])('%s', async (_, trouble, expected) => {
      const server = await start()
      const index = open({ url: server.url })
      await index.write(spec('a'), {})
      server.trouble = trouble
      expect(await rejection(countOf(index, 'a'))).toMatchObject({ hint: expect.any(String), ...expected })
      server.trouble = undefined
      expect(await countOf(index, 'a')).toBe(0)
    })

    it('nobody listens', async () => {
      const server = await startQdrant()
      const { url } = server
      await server.close()
      const index = open({ url })
      expect(await rejection(countOf(index, 'a'))).toMatchObject({
        code: 'unavailable',
        retryable: true,
        hint: expect.stringContaining('qdrant/qdrant'),
      })
      expect(await index.check()).toMatchObject({ ok: false, hint: expect.any(String) })
    })

    it('TLS is spoken to a server without', async () => {
      const server = await start()
      const error = await rejection(countOf(open({ url: server.url.replace('http:', 'https:') }), 'a'))
      expect(error).toMatchObject({ code: 'unavailable', hint: expect.stringContaining('http://') })
    })

    it('it is something else that closes the connection', async () => {
      const server = createPlainServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closing.push(() => server.close())
      const { port } = server.address() as { port: number }
      expect(await rejection(countOf(open({ url: `http://127.0.0.1:${port}` }), 'a'))).toMatchObject({
        code: 'unavailable',
        hint: expect.any(String),
      })
    })

    it('it accepts and never answers', async () => {
      const server = await start()
      server.trouble = () => 'never'
      const index = open({ url: server.url, timeoutMs: 200 })
      expect(await rejection(countOf(index, 'a'))).toMatchObject({ code: 'timeout', retryable: true })
      const aborted = index.search('a', { text: 'x', limit: 5 }, AbortSignal.timeout(50))
      expect((await rejection(aborted)).code).toMatch(/cancelled|timeout/)
    })

    it('the key is missing or wrong', async () => {
      const server = await start({ apiKey: 'right' })
      for (const apiKey of [undefined, 'wrong']) {
        const error = await rejection(countOf(open({ url: server.url, apiKey }), 'a'))
        expect(error.hint).toContain('RALPH_QDRANT_API_KEY')
      }
      expect(await countOf(open({ url: server.url, apiKey: 'right' }), 'a')).toBe(0)
    })

    it('it is too old', async () => {
      const server = await start({ version: '1.9.4' })
      const index = open({ url: server.url })
      expect(await index.check()).toMatchObject({ ok: false, detail: expect.stringContaining('1.9.4') })
      expect(await rejection(index.write(spec('a'), {}))).toMatchObject({
        code: 'unsupported_version',
        message: expect.stringContaining('1.9.4'),
        hint: expect.stringContaining('1.11'),
      })
    })

    it('a collection of that name was made by somebody else', async () => {
      const server = await start()
      const index = open({ url: server.url })
      await index.write(spec('a'), {})
      server.collections.get('a')!.remove({ filter: {} })
      server.collections.get('a')!.upsert([{ id: id('theirs'), vector: {}, payload: { x: 1 } }])
      for (const attempt of [
        (later: SearchIndex) => later.write(spec('a'), {}),
        (later: SearchIndex) => later.search('a', { text: 'x', limit: 5 }),
        (later: SearchIndex) => countOf(later, 'a'),
        (later: SearchIndex) => later.drop('a'),
      ]) {
        expect(await rejection(attempt(open({ url: server.url })))).toMatchObject({
          code: 'conflict',
          hint: expect.any(String),
        })
      }
      expect(await index.collections()).toEqual([])
      expect(server.collections.get('a')!.count(undefined)).toBe(1)
    })

    it('a newer ralph has been there', async () => {
      const server = await start()
      const index = open({ url: server.url })
      await index.write(spec('a'), {})
      const [point] = server.collections.get('a')!.scroll({ limit: 10 }).points
      server.collections
        .get('a')!
        .setPayload({ points: [point!.id], payload: { version: 99 }, key: '_ralph' })
      expect(await rejection(countOf(index, 'a'))).toMatchObject({ code: 'unsupported_version' })
    })
  })

  it('is patient with a server that is busy for a moment', async () => {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('a'), {})
    let refused = 0
    server.trouble = ({ path }) =>
      path.endsWith('/count') && refused++ < 2
        ? { status: refused === 1 ? 429 : 503, body: '{"status":{"error":"busy"}}' }
        : undefined
    expect(await countOf(index, 'a')).toBe(0)
    expect(refused).toBe(3)
  })

  it('finishes a collection whose making was interrupted', async () => {
    const server = await start()
    const index = open({ url: server.url })
    server.trouble = ({ method, path }) =>
      method === 'PUT' && path.endsWith('/points')
        ? { status: 500, body: '{"status":{"error":"killed"}}' }
        : undefined
    await rejection(index.write(spec('a'), {}))
    server.trouble = undefined
    await index.write(spec('a'), {})
    await index.write(spec('a'), { put: [document('one', 'x')] })
    expect(await countOf(index, 'a')).toBe(1)
  })

  it('picks up a server that comes back', async () => {
    const first = await startQdrant()
    const index = open({ url: first.url })
    await index.write(spec('a'), {})
    first.trouble = () => ({ status: 500, body: '' })
    await rejection(countOf(index, 'a'))
    first.trouble = undefined
    expect(await countOf(index, 'a')).toBe(0)
    await first.close()
  })
})

/** Texts with common words point the same way. */
function bagOfWords(text: string): Float32Array {
  const vector = new Float32Array(16).fill(0.01)
  for (const word of searchTerms(text).words) {
    const hash = hash32(word)
    vector[hash % 16]! += (hash & 0x10000) === 0 ? 1 : -1
  }
  return vector
}
