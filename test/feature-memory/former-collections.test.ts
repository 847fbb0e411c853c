import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { collectionName } from '../../src/feature-memory/record.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const PATH = '/home/dev/shop'
const KEY = '5b0c3a52-9d1f-4c37-8a46-1c1f2f0d9e11'
const FEATURE = 'authentication'

async function open() {
  const folder = await temporaryFolder()
  const embedder = new FakeEmbedder()
  const index = openSqliteIndex({ path: join(folder, 'index.db') })
  onTestFinished(() => index.close())
  const notices: Notice[] = []
  const parts = {
    project: PATH,
    memoryDir: join(folder, 'memory'),
    cacheDir: join(folder, 'cache'),
    index,
    embedder: async () => embedder,
    notices: new Notices((notice) => notices.push(notice)),
  }
  const filedUnder = async () => ({ path: PATH, key: KEY, formerly: [PATH] })
  const before = new FeatureMemory(parts)
  const after = () => new FeatureMemory({ ...parts, filedUnder })
  for (let at = 0; at < 40; at++)
    await before.recordIteration(
      newIteration({ taskId: at, summary: `Attempt ${at} at the login form failed` }),
    )
  const names = async () => (await index.collections()).map(({ name }) => name)
  return { embedder, notices, before, after, names }
}

/** All of them: those of equal scores stand in the order of their ids, which were made from the key. */
const search = async (memory: FeatureMemory, question = 'login form attempt 7') =>
  (await memory.search(FEATURE, question, { minScore: 0, limit: 50 }))
    .map(({ record, score }) => `${record.iterationNumber}: ${score}`)
    .sort()

it('takes over what was filed under the path: same answers, nothing embedded again, nothing left behind', async () => {
  const { embedder, notices, before, after, names } = await open()
  const found = await search(before)
  expect(await names()).toEqual([collectionName(PATH, FEATURE)])
  const texts = embedder.usage.texts
  const memory = after()
  expect(await search(memory)).toEqual(found)
  expect(embedder.usage.texts).toBe(texts) // the question, too, is known
  expect(await names()).toEqual([collectionName(KEY, FEATURE)])
  expect(notices.map(({ key }) => key)).toEqual(['index.filed'])
  expect(await search(memory)).toEqual(found)
  expect(notices).toHaveLength(1)
})

it('leaves alone what somebody else files under the path later', async () => {
  const { before, after, names } = await open()
  await search(before)
  const found = await search(after())
  await search(before) // another project at this path, of the version before
  expect(await search(after())).toEqual(found)
  expect((await names()).sort()).toEqual([collectionName(KEY, FEATURE), collectionName(PATH, FEATURE)].sort())
})

it('keeps the vectors until there is an embedder to tell that they fit', async () => {
  const { embedder, before, after, names } = await open()
  const found = await search(before)
  embedder.down = true
  expect((await search(after(), 'an attempt')).length).toBeGreaterThan(0)
  expect(await names()).toContain(collectionName(PATH, FEATURE))
  embedder.down = false
  const texts = embedder.usage.texts
  expect(await search(after())).toEqual(found)
  expect(embedder.usage.texts).toBe(texts)
  expect(await names()).toEqual([collectionName(KEY, FEATURE)])
})
