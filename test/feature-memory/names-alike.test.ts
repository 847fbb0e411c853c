import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { DescribedFeature } from '../../src/feature-memory/feature-memory.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { collectionName, longerCollectionName } from '../../src/feature-memory/record.ts'
import { Notices } from '../../src/notices.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Their hashes begin with the same eight digits, of which the names of collections are made. */
const FEATURES = ['step-4133', 'step-72107'] as const
const PROJECTS = ['00000000-0000-4000-8000-000000021083', '00000000-0000-4000-8000-000000070264'] as const

async function opened() {
  const folder = await temporaryFolder()
  const index = openSqliteIndex({ path: join(folder, 'index.db') })
  onTestFinished(() => index.close())
  const described = (name: string) => {
    const learnings = [{ id: 'l1', text: `The cookie of ${name} is lost`, reason: 'seen', source: 'human' }]
    return { name, learnings } as unknown as DescribedFeature
  }
  const memory = (project: string = PROJECTS[0]) =>
    new FeatureMemory({
      ...{ project, index, embedder: async () => new FakeEmbedder(), notices: new Notices(() => undefined) },
      ...{ memoryDir: join(folder, project, 'memory'), cacheDir: join(folder, project, 'cache') },
      board: {
        version: async () => 'same',
        features: async () => [...FEATURES],
        describe: async (name) => described(name),
      },
    })
  const record = (of: FeatureMemory, feature: string, summary = `The cookie of ${feature} is lost`) =>
    of.recordIteration(newIteration({ feature, summary }))
  const found = async (of: FeatureMemory, feature: string) =>
    (await of.recall(feature, 'cookie lost', { minScore: 0 })).map((one) =>
      one.type === 'iteration' ? one.record.summary : one.type,
    )
  return { index, memory, record, found }
}

it('keeps two features of a project apart whose names hash alike, for every process and after a rebuild', async () => {
  const { index, memory, record, found } = await opened()
  for (const feature of FEATURES) await record(memory(), feature)
  for (let round = 0; round < 2; round++)
    for (const feature of FEATURES)
      expect((await found(memory(), feature)).sort()).toEqual([
        `The cookie of ${feature} is lost`,
        'learning',
      ])
  expect(collectionName(PROJECTS[0], FEATURES[0])).toBe(collectionName(PROJECTS[0], FEATURES[1]))
  const names = async () => (await index.collections()).map(({ name }) => name).sort()
  const [first, second] = [collectionName, longerCollectionName]
  expect(await names()).toEqual([first(PROJECTS[0], FEATURES[0]), second(PROJECTS[0], FEATURES[1])])
  expect(await memory().orphans()).toEqual([])
  await memory().rebuild(FEATURES[1])
  expect(await found(memory(), FEATURES[0])).toHaveLength(2)
  expect((await memory().sample(FEATURES[1], 10)).sampled).toHaveLength(2)
  await memory().forget(FEATURES[0])
  expect(await found(memory(), FEATURES[1])).toContain(`The cookie of ${FEATURES[1]} is lost`)
})

it('keeps two projects apart on one server whose ids hash alike, and tidies up for neither the other’s', async () => {
  const { index, memory, record, found } = await opened()
  const [ours, theirs] = PROJECTS.map((project) => memory(project))
  await record(ours!, 'login', 'Our cookie is lost')
  await record(theirs!, 'login', 'Their cookie is lost')
  await record(theirs!, 'left-over', 'Their cookie is lost, too')
  for (const [project, summary] of [
    [ours!, 'Our cookie is lost'],
    [theirs!, 'Their cookie is lost'],
  ] as const)
    expect((await found(project, 'login')).filter((one) => one !== 'learning')).toEqual([summary])
  await found(theirs!, 'left-over')
  expect(await memory(PROJECTS[0]).removeOrphans()).toEqual([])
  expect(await index.collections()).toHaveLength(3)
})
