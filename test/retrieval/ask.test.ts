import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { RalphError } from '../../src/errors.ts'
import { type LongWork, type Notice, Notices } from '../../src/notices.ts'
import { ask } from '../../src/retrieval/ask.ts'
import { Collection } from '../../src/retrieval/collection.ts'
import type { Draft } from '../../src/retrieval/draft.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { deterministicUuid, sha256 } from '../../src/text/ids.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const draft = (text: string): Draft => ({
  id: deterministicUuid('ask', text),
  embedded: text,
  searched: text,
  textHash: sha256(text),
  payload: () => ({ text }),
})
const OFF = { key: 'off', message: 'searching is off' }
const OTHER_MODEL = { key: 'model', message: 'another model', hint: 'rebuild' }

async function open(embedder: () => Promise<Embedder> = async () => new FakeEmbedder(), patienceMs?: number) {
  const index = openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') })
  onTestFinished(() => index.close())
  const said: Notice[] = []
  const shown: LongWork[] = []
  const notices = new Notices(
    (notice) => said.push(notice),
    (work) => shown.push(work),
  )
  const collection = new Collection(
    { index, embedder, notices, patienceMs },
    { name: 'notes', filterable: [] },
  )
  const fill = async (filler: Embedder, ...texts: string[]) => {
    const put = texts.map(draft)
    await collection.write({ put, embedded: await collection.embedded(put, filler) }, filler)
  }
  const find = (text: string, signal?: AbortSignal) =>
    ask(
      collection,
      { text, limit: 5, minScore: 0.1, signal },
      { off: OFF, otherModel: OTHER_MODEL, present: (hits) => hits.map(({ payload }) => payload['text']) },
    )
  return { index, collection, said, shown, notices, fill, find }
}

const never = () => new Promise<never>(() => undefined)

describe('ask', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['that never opens', () => never()],
    ['that never answers', async () => Object.assign(new FakeEmbedder(), { embed: never })],
  ])('answers by words within five seconds with an embedder %s, and says so', async (_, embedder) => {
    const { fill, find, said } = await open(embedder as () => Promise<Embedder>)
    await fill(new FakeEmbedder(), 'redis cache')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asking = find('redis')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await asking).toEqual(['redis cache'])
    expect(said).toMatchObject([
      {
        message: expect.stringContaining('within 5 s'),
        hint: expect.stringContaining('embedder.patience_seconds'),
      },
    ])
  })

  it('waits as long as somebody has chosen for a model that is being loaded, and shows that it does', async () => {
    const embedder = new FakeEmbedder()
    const loaded = Promise.withResolvers<void>()
    const loading = Object.assign(new FakeEmbedder(), {
      embed: async (...given: Parameters<Embedder['embed']>) => {
        await loaded.promise
        return embedder.embed(...given)
      },
    })
    const { fill, find, said, shown } = await open(async () => loading, 60_000)
    await fill(embedder, 'redis cache')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const asking = find('redis')
    await vi.advanceTimersByTimeAsync(20_000)
    loaded.resolve()
    expect(await asking).toEqual(['redis cache'])
    expect(said).toEqual([])
    expect(shown.at(-2)).toMatchObject({ done: 20, total: 60 })
    expect(shown.at(-1)).toMatchObject({ ended: true })
  })

  it('takes a collection of another model by its words, says so once, and hears when it fits again', async () => {
    const { collection, fill, find, said } = await open()
    await fill(new FakeEmbedder('older'), 'redis cache')
    expect(await find('redis')).toEqual(['redis cache'])
    await find('redis')
    expect(said).toEqual([OTHER_MODEL])
    await collection.drop()
    await fill(new FakeEmbedder(), 'redis cache')
    expect(await find('redis')).toEqual(['redis cache'])
    await collection.drop()
    await fill(new FakeEmbedder('older'), 'redis cache')
    await find('redis')
    expect(said).toEqual([OTHER_MODEL, OTHER_MODEL])
  })

  it('is off, not broken, while the index is: said once, and found again afterwards', async () => {
    const { index, find, said, fill } = await open()
    await fill(new FakeEmbedder(), 'redis cache')
    const { search } = index
    const down = new RalphError('unavailable', 'the index is down', { hint: 'start it' })
    index.search = () => Promise.reject(down)
    expect(await find('redis')).toEqual([])
    expect(await find('redis')).toEqual([])
    expect(said).toEqual([{ key: 'off', message: 'searching is off: the index is down', hint: 'start it' }])
    index.search = search
    expect(await find('redis')).toEqual(['redis cache'])
  })

  it('stops when it is told to', async () => {
    const { find } = await open()
    await expect(find('redis', AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('a lender', () => {
  it('spares the embedder texts that were embedded before, word for word', async () => {
    const { collection } = await open()
    const embedder = new FakeEmbedder()
    const [known] = await embedder.embed(['redis cache'], 'document')
    const before = embedder.usage.texts
    const lending = new Collection(
      {
        ...collection.parts,
        lender: {
          lend: async (_, embedderId, documents) =>
            new Map(
              documents
                .filter(({ textHash }) => embedderId === embedder.id && textHash === sha256('redis cache'))
                .map(({ id }) => [id, { vector: known! }]),
            ),
        },
      },
      { name: 'notes', filterable: [] },
    )
    const embedded = await lending.embedded([draft('login form'), draft('redis cache')], embedder)
    expect(embedded[1]?.vector).toBe(known)
    expect(embedder.usage.texts).toBe(before + 1)
  })
})
