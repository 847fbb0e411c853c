import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Notices } from '../../src/notices.ts'
import { missing, newWords, remade } from '../../src/retrieval/bring-level.ts'
import { Collection } from '../../src/retrieval/collection.ts'
import type { Draft } from '../../src/retrieval/draft.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { deterministicUuid, sha256 } from '../../src/text/ids.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const ID = deterministicUuid('one')

function draft(revision: number, embedded: string, searched = embedded): Draft {
  return { id: ID, embedded, searched, textHash: sha256(embedded), revision, payload: () => ({}) }
}

async function open() {
  const index = openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') })
  onTestFinished(() => index.close())
  const embedder = new FakeEmbedder()
  const parts = { index, notices: new Notices(() => undefined), embedder: async () => embedder }
  const collection = new Collection(parts, { name: 'some', filterable: [] })
  const embed = async (one: Draft) =>
    collection.write({ put: [one], embedded: await remade(collection, [one], embedder) }, embedder)
  const finds = async (text: string) => (await index.search('some', { text, limit: 5 })).length > 0
  return { collection, embedder, embed, finds }
}

it('finds by new words at once, and keeps the vector until there is another', async () => {
  const { collection, embedder, embed, finds } = await open()
  await embed(draft(1, 'parser'))
  const changed = draft(2, 'lexer', 'lexer summary')
  // Without the embedder, too: it may be down.
  await collection.write(await newWords(collection, [changed]), undefined)
  expect(await finds('summary')).toBe(true)
  const kept = (await collection.vectorsOf([ID])).get(ID)
  expect(kept).toMatchObject({ embedderId: embedder.id, textHash: sha256('parser') })
  expect(await missing(collection, [changed], embedder)).toEqual([changed])
  await embed(changed)
  expect(await missing(collection, [changed], embedder)).toEqual([])
  expect(embedder.usage.texts).toBe(2)
})

it('embeds no text twice for the sake of other words', async () => {
  const { collection, embedder, embed, finds } = await open()
  await embed(draft(1, 'parser'))
  const summarised = draft(2, 'parser', 'parser summary')
  expect(await missing(collection, [summarised], embedder)).toEqual([summarised])
  await embed(summarised)
  expect(await finds('summary')).toBe(true)
  expect(embedder.usage.texts).toBe(1)
})

it('leaves alone what is later than what somebody read before', async () => {
  const { collection, embed, finds } = await open()
  await embed(draft(2, 'parser', 'parser summary'))
  expect(await newWords(collection, [draft(1, 'parser')])).toEqual({})
  expect(await finds('summary')).toBe(true)
})
