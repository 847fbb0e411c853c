import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('a damaged index is said once with the command that mends it, and that command mends it', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'cache', 'index.db')
  const embedder = new FakeEmbedder()
  const notices: Notice[] = []
  const open = () => {
    const index = openSqliteIndex({ path })
    onTestFinished(() => index.close())
    const memory = new FeatureMemory({
      project: '/home/dev/shop',
      memoryDir: join(folder, 'memory'),
      cacheDir: join(folder, 'cache'),
      index,
      embedder: async () => embedder,
      notices: new Notices((notice) => notices.push(notice)),
    })
    return { index, memory }
  }
  const { index, memory } = open()
  await memory.recordIteration(newIteration({ summary: 'Login form crashed without a user object' }))
  expect(await memory.search('authentication', 'login form crashed', { minScore: 0.1 })).toHaveLength(1)
  await index.close()
  await writeFile(path, 'not a database any more'.repeat(1_000))

  const damaged = open()
  // From the journal meanwhile.
  const found = await damaged.memory.search('authentication', 'login form', { minScore: 0.1 })
  expect(found).toMatchObject([{ matched: ['words'] }])
  expect(notices).toMatchObject([{ hint: expect.stringContaining('ralph memory rebuild') }])
  await damaged.memory.rebuild('authentication')
  expect(await damaged.memory.search('authentication', 'login form', { minScore: 0.1 })).toHaveLength(1)
})
