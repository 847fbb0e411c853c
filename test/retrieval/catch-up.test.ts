import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { type LongWork, type Notice, Notices } from '../../src/notices.ts'
import { catchUp, type Source } from '../../src/retrieval/catch-up.ts'
import { Collection } from '../../src/retrieval/collection.ts'
import type { Draft } from '../../src/retrieval/draft.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { deterministicUuid, sha256 } from '../../src/text/ids.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A list of texts that grows at its end; cut or changed before the cursor, it is read as a whole. */
class Lines implements Source {
  readonly name: string
  lines: string[]
  ownText = false

  constructor(name: string, ...lines: string[]) {
    this.name = name
    this.lines = lines
  }

  owns: Source['owns'] = (payload) => payload['from'] === this.name
  read: Source['read'] = async (since, use) => {
    const before = typeof since === 'string' ? since.split('\n') : undefined
    const fits = before?.every((line, at) => line === this.lines[at])
    const drafts = this.lines.slice(before && fits ? before.length : 0).map((line) => this.#draft(line))
    const each = async function* () {
      yield* drafts
    }
    await use({ whole: !fits, drafts: each(), cursor: async () => this.lines.join('\n') })
  }

  #draft(line: string): Draft {
    const [id = '', text = id] = line.split(': ')
    return {
      id: deterministicUuid(this.name, id),
      embedded: text,
      searched: text,
      textHash: sha256(text),
      ownText: this.ownText,
      payload: (embeddedBy) => ({ from: this.name, text, embeddedBy }),
    }
  }
}

async function open() {
  const index = openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') })
  onTestFinished(() => index.close())
  const embedder = new FakeEmbedder()
  const said: Notice[] = []
  const work: LongWork[] = []
  const notices = new Notices(
    (notice) => said.push(notice),
    (one) => work.push(one),
  )
  const parts = { index, notices, embedder: async () => embedder }
  const collection = new Collection(parts, { name: 'lines', filterable: [] })
  const stored = async () => {
    const documents = await index.read('lines', { limit: 1_000 })
    return documents
      .map(({ payload, hasVector }) => `${payload['text']}${hasVector ? '' : ' (words)'}`)
      .sort()
  }
  return { index, embedder, said, work, collection, stored }
}

it('reads on from where it came to, and takes away what a rewritten source no longer holds', async () => {
  const { collection, embedder, stored } = await open()
  const source = new Lines('a', 'one', 'two')
  await catchUp(collection, [source])
  source.lines.push('three')
  expect(await catchUp(collection, [source])).toMatchObject({
    embedded: 1,
    cursors: { a: 'one\ntwo\nthree' },
  })
  source.lines = ['one', 'three']
  expect(await catchUp(collection, [source])).toMatchObject({ embedded: 0 })
  expect(await stored()).toEqual(['one', 'three'])
  expect(embedder.usage.texts).toBe(3)
})

it('tells how far it is when another model builds the index again', async () => {
  const { collection, work } = await open()
  const source = new Lines('a', ...Array.from({ length: 20 }, (_, at) => `line ${at}`))
  await catchUp(collection, [source])
  work.length = 0
  await catchUp(collection, [source], { embedder: new FakeEmbedder('another') })
  const what = 'building the index (the embedding model changed)'
  const line = { key: 'lines', what, total: 20 }
  expect(work).toEqual([
    { ...line, done: 0 },
    { ...line, done: 8 },
    { ...line, done: 16 },
    { ...line, done: 20 },
    { ...line, done: 20, ended: true },
  ])
})

it('lets each of several sources take away only its own', async () => {
  const { collection, stored } = await open()
  const [one, other] = [new Lines('a', 'one', 'two'), new Lines('b', 'three')]
  await catchUp(collection, [one, other])
  one.lines = ['two']
  await catchUp(collection, [one, other])
  expect(await stored()).toEqual(['three', 'two'])
})

it('stores words while the embedder is down, and makes up for it, forgetting what has gone meanwhile', async () => {
  const { collection, embedder, said, stored } = await open()
  const source = new Lines('a', 'one', 'two')
  embedder.down = true
  await catchUp(collection, [source])
  expect(await stored()).toEqual(['one (words)', 'two (words)'])
  source.lines.shift()
  embedder.down = false
  await catchUp(collection, [source])
  expect(await stored()).toEqual(['two'])
  expect(said).toHaveLength(1)
  // Nothing is left to make up for.
  expect(await catchUp(collection, [source])).toMatchObject({ embedded: 0 })
})

it('embeds with the embedder it is given or fails, leaving the rest to the next time', async () => {
  const { collection, embedder, stored } = await open()
  const source = new Lines('a', ...Array.from({ length: 150 }, (_, at) => `line ${at}`))
  const failing = new FakeEmbedder()
  failing.embed = async (texts, kind) => {
    if (failing.usage.texts + texts.length > 110)
      throw new RalphError('unavailable', 'enough', { retryable: true })
    return FakeEmbedder.prototype.embed.call(failing, texts, kind)
  }
  await expect(catchUp(collection, [source], { embedder: failing })).rejects.toThrow('enough')
  expect(await stored()).toHaveLength(100)
  expect(await catchUp(collection, [source], { embedder })).toMatchObject({ embedded: 50 })
  expect(await stored()).toHaveLength(150)
})

it('stores words first for whoever makes the vectors, and leaves alone what is there', async () => {
  const { collection, embedder, stored } = await open()
  const source = new Lines('a', 'x: one')
  await catchUp(collection, [source], { embedder })
  source.lines = ['x: changed', 'y: two']
  await catchUp(collection, [source], { wordsFor: { embedder } })
  expect(await stored()).toEqual(['one', 'two (words)'])
  expect(embedder.usage.texts).toBe(1)
})

it('keeps both of two that a merge gave the same id, where texts are their own', async () => {
  const { collection, stored } = await open()
  const source = new Lines('a', 'x: one')
  source.ownText = true
  await catchUp(collection, [source])
  source.lines.push('x: two')
  await catchUp(collection, [source])
  expect(await stored()).toEqual(['one', 'two'])
  const replacing = new Lines('b', 'x: one')
  await catchUp(collection, [replacing])
  replacing.lines = ['x: two']
  await catchUp(collection, [replacing])
  expect((await stored()).filter((text) => text === 'one')).toHaveLength(1)
})

it('builds a collection of another model again, and says why while it does', async () => {
  const { collection, stored, index } = await open()
  const source = new Lines('a', 'one')
  await catchUp(collection, [source])
  const reasons: unknown[] = []
  const other = new FakeEmbedder('other')
  await catchUp(collection, [source], { embedder: other, onProgress: ({ reason }) => reasons.push(reason) })
  expect(reasons).toEqual(['the embedding model changed'])
  expect(await stored()).toEqual(['one'])
  expect(await index.collections()).toMatchObject([{ embedderId: other.id, documents: 1 }])
})
