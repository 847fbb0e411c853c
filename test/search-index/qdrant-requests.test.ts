import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRalphError } from '../../src/errors.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { Notices } from '../../src/notices.ts'
import { openQdrantIndex, type QdrantIndexOptions } from '../../src/search-index/qdrant.ts'
import { SilentServices } from '../../src/services/silent-services.ts'
import {
  type QdrantStandIn,
  type QdrantStandInOptions,
  rateLimited,
  refused,
  startQdrant,
} from '../stand-ins/qdrant.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { along, countOf, document, id, spec } from './documents.ts'

async function start(options: QdrantStandInOptions = {}): Promise<QdrantStandIn> {
  const server = await startQdrant(options)
  onTestFinished(() => server.close())
  return server
}
function open(options: QdrantIndexOptions) {
  const index = openQdrantIndex(options)
  onTestFinished(() => index.close())
  return index
}
async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return isRalphError(error) ? error.code : String(error)
}
/** What was asked while something was done, in short. */
async function asked(server: QdrantStandIn, work: () => Promise<unknown>): Promise<string[]> {
  const before = server.requests.length
  await work()
  return server.requests
    .slice(before)
    .map(({ method, path }) => `${method} ${path.replace(/^\/collections\/[^/]+/, '…')}`)
}

describe('requests to Qdrant', () => {
  it('are one for a search and three around a write, in a process that knows nothing yet', async () => {
    const server = await start()
    await open({ url: server.url }).write(spec('a'), { put: [document('one', 'login form', { axis: 1 })] })
    const request = { text: 'login form', vector: along(1), limit: 5, embedderId: 'test-embedder' }
    const index = open({ url: server.url })
    expect(await asked(server, () => index.search('a', request))).toEqual(['POST …/points/query/batch'])
    // Brought along by the search.
    expect(await asked(server, () => index.find('a'))).toEqual([])
    const write = async () => {
      await index.read('a', { ids: [id('two')] })
      await index.write(spec('a'), { put: [document('two', 'x')], remove: [], state: { at: 1 } })
    }
    expect(await asked(server, write)).toEqual(['POST …/points', 'POST …/points/batch'])
    expect(await asked(server, () => index.search('a', request))).toHaveLength(1)
    expect(await countOf(index, 'a')).toBe(2)
  })

  it('wait only for the last of many documents', async () => {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('a'), {})
    const large = Array.from({ length: 6 }, (_, at) =>
      document(`${at}`, 'x', { payload: { text: 'y'.repeat(7_000_000) } }),
    )
    const before = server.requests.length
    await index.write(spec('a'), { put: large, state: 1 })
    const writes = server.requests.slice(before).filter(({ query }) => query.startsWith('wait='))
    expect(Math.max(...writes.map(({ body }) => JSON.stringify(body).length))).toBeLessThan(32_000_000)
    expect(writes.map(({ query }) => query).slice(0, 3)).toEqual(['wait=false', 'wait=false', 'wait=true'])
    const one = async () => index.write(spec('a'), { put: [document('more', 'x')], more: true })
    expect(await asked(server, one)).toHaveLength(1)
  })

  it('are one for a recall when nothing is new, and four after a record', async () => {
    const server = await start()
    const folder = await temporaryFolder()
    /** As another process would. */
    const memory = () =>
      new FeatureMemory({
        project: folder,
        memoryDir: join(folder, 'memory'),
        cacheDir: folder,
        index: open({ url: server.url }),
        embedder: async () => new FakeEmbedder(),
        notices: new Notices(() => undefined),
      })
    const record = (name: string) =>
      memory().recordIteration(newIteration({ feature: 'auth', summary: `The cookie ${name} expired` }))
    const found = async () => (await memory().search('auth', 'cookie', { minScore: 0 })).length
    await record('of the session')
    expect(await found()).toBe(1)
    expect(await asked(server, found)).toEqual(['POST …/points/query/batch'])
    await record('about consent and advertising')
    expect(await asked(server, found)).toEqual([
      'POST …/points/query/batch',
      'POST …/points',
      'POST …/points/batch',
      'POST …/points/query/batch',
    ])
    expect(await found()).toBe(2)
  })
})

describe('Qdrant that', () => {
  it('limits the rate is asked again after as long as it says, within the time that somebody has', async () => {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('a'), { put: [document('one', 'x')] })
    let refusals = 0
    server.trouble = ({ path }) => (path.endsWith('/batch') && refusals++ === 0 ? rateLimited(1) : undefined)
    expect(await index.search('a', { text: 'x', limit: 5 })).toHaveLength(1)
    expect(refusals).toBe(2)
    // Longer than anybody waits: told at once, with how long.
    server.trouble = () => rateLimited(40)
    const error = await index.search('a', { text: 'x', limit: 5 }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: expect.stringMatching(/limits the rate: Read rate limit exceeded.*\(again in 40 s\)/),
      retryable: true,
      retryAfterMs: 40_000,
    })
    let asked = 0
    server.trouble = () => {
      asked++
      const split = 'request larger than rate limiter capacity, please try to split your request'
      return refused(429, `Rate limiting exceeded: Read rate limit exceeded, ${split}`)
    }
    expect(await codeOf(index.search('a', { text: 'x', limit: 5 }))).toBe('unavailable')
    expect(asked).toBe(1)
    const stopped = index.search('a', { text: 'x', limit: 5 }, AbortSignal.abort())
    expect(await codeOf(stopped)).toBe('cancelled')
  })

  it('has a full disk says so, to doctor as well', async () => {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('a'), { put: [document('one', 'login')] })
    server.diskFull = true
    const full = { ok: false, detail: expect.stringMatching(/disk of Qdrant at .* is full: .*No space left/) }
    expect(await index.check({ thorough: true })).toMatchObject(full)
    expect(await index.check()).toMatchObject({ ok: true })
    expect(await codeOf(index.write(spec('a'), { put: [document('two', 'x')] }))).toBe('disk_full')
    expect(await index.search('a', { text: 'login', limit: 5 })).toHaveLength(1)
  })

  it('takes less at once than we think says so, and not that it cannot be reached', async () => {
    const server = await start({ mostBytes: 10 * 1024 * 1024 })
    const index = open({ url: server.url })
    await index.write(spec('a'), {})
    const large = document('large', 'x', { payload: { text: 'y'.repeat(20 * 1024 * 1024) } })
    const error = await index.write(spec('a'), { put: [large] }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'limit_reached',
      message: expect.stringMatching(/^20 MB in one request are more than Qdrant at/),
      hint: expect.stringContaining('MAX_REQUEST_SIZE_MB'),
    })
  })

  it('hangs is waited for once, by whatever call, in whatever process', async () => {
    const server = await start()
    const folder = await temporaryFolder()
    const silent = () => new SilentServices({ folder })
    const index = open({ url: server.url, timeoutMs: 1_500, silent: silent() })
    await index.write(spec('a'), { put: [document('one', 'login')] })
    server.trouble = () => 'never'
    expect(await codeOf(index.search('a', { text: 'login', limit: 5 }))).toBe('timeout')
    const before = server.requests.length
    const other = open({ url: server.url, timeoutMs: 1_500, silent: silent() })
    for (const call of [
      other.search('a', { text: 'login', limit: 5 }),
      other.find('b'),
      other.collections(['a']),
      other.read('a', { limit: 5 }),
      other.write(spec('a'), {}),
      other.drop('a'),
    ])
      expect(await codeOf(call)).toBe('timeout')
    expect(server.requests).toHaveLength(before)
    // A check asks in any case, and hears when it is over.
    server.trouble = undefined
    expect(await other.check()).toMatchObject({ ok: true })
    expect(await index.search('a', { text: 'login', limit: 5 })).toHaveLength(1)
  })

  it('hangs is left by whoever has no more time, from every call', async () => {
    const server = await start()
    for (const tenants of [false, true]) {
      server.trouble = undefined
      const index = open({ url: server.url, tenants })
      await index.write(spec('a'), { put: [document('one', 'login')] })
      server.trouble = () => 'never'
      const stranger = open({ url: server.url, tenants })
      const stop = new AbortController()
      const calls = [
        stranger.search('a', { text: 'login', limit: 5 }, stop.signal),
        stranger.find('a', stop.signal),
        stranger.collections(['a'], stop.signal),
        stranger.read('a', { limit: 5 }, stop.signal),
        stranger.write(spec('a'), { put: [document('two', 'x')] }, stop.signal),
        index.search('a', { text: 'login', limit: 5 }, stop.signal),
      ].map(codeOf)
      stop.abort()
      expect(new Set(await Promise.all(calls))).toEqual(new Set(['cancelled']))
    }
  })
})
