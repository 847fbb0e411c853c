import { describe, expect, it, onTestFinished } from 'vitest'
import { fuse } from '../../src/retrieval/fusion.ts'
import { openQdrantIndex, type QdrantIndexOptions } from '../../src/search-index/qdrant.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { type QdrantStandIn, type QdrantStandInOptions, refused, startQdrant } from '../stand-ins/qdrant.ts'
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
async function embedded(): Promise<SearchIndex> {
  const index = openSqliteIndex({ path: `${await temporaryFolder()}/index.db` })
  onTestFinished(() => index.close())
  return index
}
/** From now on, in all collections. */
function limit(server: QdrantStandIn, strict: object): void {
  for (const { config } of server.collections.values())
    config.strict_mode_config = { enabled: true, ...strict }
}
async function batches(server: QdrantStandIn, work: () => Promise<unknown>): Promise<number> {
  const before = server.requests.length
  await work()
  return server.requests.slice(before).filter(({ path }) => path.endsWith('/query/batch')).length
}

const WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa'.split(' ')
/** Each with some of the words, so that no two are alike. */
const NOTES = Array.from({ length: 120 }, (_, at) =>
  document(`${at}`, WORDS.filter((_, word) => (at + word * word) % (word + 2) === 0).join(' '), {
    axis: at,
    payload: { kind: at % 2 ? 'odd' : 'even' },
  }),
)

describe('a server that allows few reads a minute', () => {
  const request = { text: WORDS.join(' '), vector: along(3), limit: 5, filter: { kind: { in: ['odd'] } } }
  const best = async (index: SearchIndex, asked = request) =>
    fuse(await index.search('a', asked), {
      calibration: [
        [0, 0],
        [1, 1],
      ],
      limit: 5,
      minScore: 0,
    }).map(({ id: found }) => found)

  it.each([
    // All searches and their conditions: what is wanted takes 2 + 2 + 2 + 2, counting 21 more.
    ['less than counting takes', 28],
    ['only what a search takes', 8],
  ])('(%s) is searched for less, with the same results', async (_, read_rate_limit) => {
    const server = await start()
    const [qdrant, sqlite] = [open({ url: server.url }), await embedded()]
    for (const index of [qdrant, sqlite]) await index.write(spec('a'), { put: NOTES })
    limit(server, { read_rate_limit })
    expect(await best(qdrant)).toEqual(await best(sqlite))
  })

  it('is asked in parts where even that is more than it gives at once', async () => {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('a'), { put: NOTES.slice(0, 4) })
    const asked = { text: 'alpha', limit: 5, filter: { kind: { in: ['odd'] }, number: { from: 0 } } }
    limit(server, { read_rate_limit: 4 })
    // Half a minute of waiting is more than anybody has.
    await expect(index.search('a', asked)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('limits the rate'),
    })
    limit(server, { read_rate_limit: 600 })
    expect(await batches(server, () => open({ url: server.url }).search('a', asked))).toBe(1)
  })

  it('gives documents in pages that it allows', async () => {
    const server = await start()
    const index = open({ url: server.url })
    const many = Array.from({ length: 960 }, (_, at) => document(`${at}`, `note ${at}`))
    await index.write(spec('a'), { put: many })
    limit(server, { read_rate_limit: 950 })
    const found = await index.read('a', { ids: many.map((one) => one.id) })
    expect(found.map((one) => one.id)).toEqual(many.map((one) => one.id))
  })
})

describe('a server that allows few writes a minute', () => {
  it('gets them in pieces, each of which it allows, and all arrive', async () => {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('a'), {})
    limit(server, { write_rate_limit: 3_000 })
    const many = Array.from({ length: 3_040 }, (_, at) => document(`${at}`, `note ${at}`))
    await index.write(spec('a'), { put: many, state: { at: 1 } })
    expect(await index.collections(['a'])).toMatchObject([{ documents: 3_040, state: { at: 1 } }])
    limit(server, { write_rate_limit: 3_000 })
    await index.write(spec('a'), { remove: many.slice(1).map((one) => one.id), state: { at: 2 } })
    expect(await index.collections(['a'])).toMatchObject([{ documents: 1, state: { at: 2 } }])
  }, 30_000)
})

describe('refusals of Qdrant', () => {
  async function refusalOf(answer: ReturnType<typeof refused>): Promise<unknown> {
    const server = await start()
    const index = open({ url: server.url })
    await index.write(spec('a'), {})
    server.trouble = () => answer
    return index.write(spec('a'), { put: [document('one', 'x')] }).then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  it.each<[string, ReturnType<typeof refused>, object]>([
    [
      'that it has as many documents as strict mode allows',
      refused(400, 'Bad request: Max points count limit of 10 reached!'),
      { code: 'limit_reached', message: expect.stringContaining('in strict mode: Max points count') },
    ],
    [
      'that a text has more words than strict mode allows',
      refused(400, "Bad request: Sparse vector 'words' has a limit of 5 indices, but 9 were provided!"),
      { code: 'limit_reached', message: expect.stringContaining('in strict mode: Sparse vector') },
    ],
    [
      'that its disk is fuller than strict mode allows',
      refused(
        400,
        'Bad request: Disk usage is at 95% of total capacity, exceeding the configured limit of 90%. Help: Reduce disk usage (e.g. delete points or drop collections) or raise `max_disk_usage_percent` in strict mode.',
      ),
      { code: 'limit_reached', message: expect.stringContaining('in strict mode: Disk usage is at 95%') },
    ],
    [
      'of what took it too long',
      refused(408, "Timeout: Operation 'upsert' timed out after 60s"),
      { code: 'unavailable', retryable: true, message: expect.stringContaining('timed out') },
    ],
    [
      'while somebody has locked it',
      refused(403, 'Storage locked: backup'),
      { code: 'unavailable', retryable: true, message: expect.not.stringContaining('API key') },
    ],
    [
      'of a body that is too large',
      refused(400, 'JSON payload (41943040 bytes) is larger than allowed (limit: 33554432 bytes).'),
      { code: 'limit_reached', hint: expect.stringContaining('MAX_REQUEST_SIZE_MB') },
    ],
  ])('%s are told for what they are', async (_, answer, expected) => {
    expect(await refusalOf(answer)).toMatchObject({ hint: expect.any(String), ...expected })
  })

  it('of more collections name the way with two', async () => {
    const server = await start()
    server.mostCollections = 1
    const index = open({ url: server.url })
    await index.write(spec('a'), {})
    await expect(index.write(spec('b'), {})).rejects.toMatchObject({
      code: 'limit_reached',
      hint: expect.stringContaining('index.tenants'),
    })
  })

  it('of more indexes are told, and nothing half made is left to be found', async () => {
    const server = await start({ strictMode: { enabled: true, max_payload_index_count: 2 } })
    const index = open({ url: server.url })
    await expect(index.write(spec('a'), { put: [document('one', 'x')] })).rejects.toMatchObject({
      code: 'limit_reached',
      message: expect.stringContaining('maximum number of payload indices'),
    })
    expect(await index.find('a')).toBeUndefined()
  })
})

describe('word counts', () => {
  /** "common" in 1,500 documents of 1,600, of which 300 go. */
  async function filled() {
    const server = await start()
    const [qdrant, sqlite] = [open({ url: server.url }), await embedded()]
    const documents = Array.from({ length: 1_600 }, (_, at) =>
      document(
        `${at}`,
        `${at < 1_500 ? 'common' : 'other'} ${at % 5 ? 'often' : 'seldom'} ${'x '.repeat(at % 30)}`,
      ),
    )
    for (const index of [qdrant, sqlite]) await index.write(spec('a'), { put: documents })
    const remove = async () => {
      for (const index of [qdrant, sqlite])
        await index.write(spec('a'), { remove: documents.slice(0, 300).map((one) => one.id) })
    }
    const same = async (text: string) => {
      const scores = async (index: SearchIndex) =>
        (await index.search('a', { text, limit: 10 })).map(({ bm25 }) => bm25.toFixed(4)).sort()
      expect(await scores(qdrant)).toEqual(await scores(sqlite))
    }
    return { server, qdrant, remove, same }
  }

  it('take one request while nothing was removed, and one more for the end of a long list', async () => {
    const { server, qdrant, remove, same } = await filled()
    const search = () => qdrant.search('a', { text: 'common', limit: 10 })
    expect(await batches(server, search)).toBe(1)
    await remove()
    expect(await batches(server, search)).toBe(2)
    const [again] = (server.requests.at(-1)!.body as { searches: { offset: number; limit: number }[] })
      .searches
    // Between those that are left for certain and those that Qdrant counts.
    expect(again).toMatchObject({ offset: 1_199, limit: 302 })
    await same('common')
    for (const collection of server.collections.values()) collection.vacuum()
    expect(await batches(server, search)).toBe(1)
    await same('common')
  })

  it('are right also where it was noted wrongly how many documents there are', async () => {
    const { server, remove, same } = await filled()
    await remove()
    const collection = server.collections.get('a')!
    const [metadata] = collection.scroll({
      limit: 5,
      filter: {
        must_not: [
          { key: '_ralph.kind', match: { value: 'document' } },
          { key: '_ralph.kind', match: { value: 'anchor' } },
        ],
      },
    }).points
    // More than there are: then less seems to be removed than was.
    collection.setPayload({ points: [metadata!.id], payload: { documents: 1_500 }, key: '_ralph' })
    const fresh = open({ url: server.url })
    const [found] = await fresh.search('a', { text: 'common', limit: 1 })
    const idf = Math.log(1 + (1_500 - 1_200 + 0.5) / (1_200 + 0.5))
    const weight = found!.bm25 / idf
    // A weight is a multiple of what fits into a byte.
    expect((weight / 2.2) * 255).toBeCloseTo(Math.round((weight / 2.2) * 255), 3)
    await expect(same('common')).rejects.toThrow()
    // A larger change counts.
    await fresh.write(spec('a'), { put: [document('new', 'x')], remove: [id('new')] })
    expect(await countOf(fresh, 'a')).toBe(1_300)
    await same('common often')
  })
})
