import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { ownedIndex } from '../../src/search-index/owned.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { describeSearchIndex } from '../contracts/search-index.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { temporaryFolder } from '../support/temporary.ts'

const ANN = 'a11ce000-9d1f-4c37-8a46-1c1f2f0d9e11'
const BEN = 'be700000-9d1f-4c37-8a46-1c1f2f0d9e11'

describeSearchIndex('SQLite, of one storage', async () => {
  const path = join(await temporaryFolder(), 'index.db')
  const open = () => ownedIndex(openSqliteIndex({ path }), async () => ANN)
  return { index: open(), reopen: async () => open(), discard: async () => undefined }
})

describe('an index that several storages share', () => {
  it('lets each find and remove its own only', async () => {
    const shared = openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') })
    onTestFinished(() => shared.close())
    const ann = ownedIndex(shared, async () => ANN)
    const ben = ownedIndex(shared, async () => BEN)
    const spec = { name: 'knowledge', embedderId: 'none', dimensions: 1, filterable: [] }
    const put = (id: string) => [{ id, text: 'the cookie', textHash: id, payload: {} }]
    const found = async (index: SearchIndex) =>
      (await index.search('knowledge', { text: 'cookie', limit: 9 })).map(({ id }) => id)
    await ann.write(spec, { put: put('of ann') })
    await ben.write(spec, { put: put('of ben'), state: { far: 1 } })
    expect(await found(ann)).toEqual(['of ann'])
    expect(await found(ben)).toEqual(['of ben'])
    expect((await shared.collections()).map(({ name }) => name)).toEqual([
      'knowledge-a11ce000',
      'knowledge-be700000',
    ])
    expect((await ann.collections()).map(({ name }) => name)).toEqual(['knowledge'])
    // A process of its own knows nothing beforehand.
    const again = ownedIndex(shared, async () => BEN)
    expect(await again.collections(['knowledge'])).toMatchObject([
      { name: 'knowledge', documents: 1, state: { far: 1 } },
    ])
    await again.drop('knowledge')
    expect(await found(ann)).toEqual(['of ann'])
    expect(await found(ownedIndex(shared, async () => BEN))).toEqual([])
  })

  it('is emptied by each of their own only', async () => {
    const shared = openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') })
    onTestFinished(() => shared.close())
    const spec = { name: 'knowledge', embedderId: 'none', dimensions: 1, filterable: [] }
    for (const owner of [ANN, BEN]) await ownedIndex(shared, async () => owner).write(spec, { state: owner })
    await ownedIndex(shared, async () => ANN).reset()
    expect(await ownedIndex(shared, async () => ANN).find('knowledge')).toBeUndefined()
    expect(await ownedIndex(shared, async () => BEN).find('knowledge')).toMatchObject({ state: BEN })
  })

  it('keeps what two people know on one Qdrant, each in a database of their own', async () => {
    const qdrant = await startQdrant()
    onTestFinished(() => qdrant.close())
    const folder = await temporaryFolder()
    const open = async (name: string) => {
      const settings = { index: { driver: 'qdrant' as const, url: qdrant.url } }
      const ralph = await openRalph({
        project: folder,
        home: join(folder, name),
        env: {},
        settings,
        onNotice: () => undefined,
      })
      onTestFinished(() => ralph.close())
      return ralph.knowledge
    }
    const learn = async (knowledge: Awaited<ReturnType<typeof open>>, failures: string[]) => {
      for (const failureDescription of failures)
        await knowledge.capture({
          kind: 'failure_solution',
          project: 'shop',
          failureDescription,
          solutionSteps: `mend ${failureDescription}`,
        })
      await knowledge.checkpoint('manual')
    }
    const ann = await open('ann')
    const ben = await open('ben')
    await learn(ann, ['the cookie is missing'])
    await learn(ben, ['the vault is locked', 'the ledger is wrong'])
    // Reads everything again, and takes away what is no longer there.
    await ben.reindex()
    await ann.reindex()
    const known = async (knowledge: typeof ann, description: string) =>
      (await knowledge.queryForTask({ description })).map(({ problem }) => problem)
    expect(await known(ann, 'the cookie is missing')).toEqual(['the cookie is missing'])
    expect(await known(ben, 'the vault is locked')).toEqual(['the vault is locked'])
    expect(
      [...qdrant.collections.keys()].filter((name) => name.startsWith('project_knowledge')),
    ).toHaveLength(2)
  })
})
