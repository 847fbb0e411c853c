import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import type { DescribedFeature, FeatureBoard } from '../../src/feature-memory/board-source.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const COOKIE = {
  id: 'a1',
  text: 'The session cookie needs SameSite',
  reason: 'login looped',
  source: 'human',
}
const CLOCK = {
  id: 'b2',
  text: 'Tests freeze the clock',
  reason: 'flaky at midnight',
  source: 'agent',
  taskId: 7,
}
const DESCRIPTION =
  'People sign in with a password or a passkey, stay signed in for thirty days, and can see and sign out all of their devices.'

class TestBoard implements FeatureBoard {
  #version = 0
  feature: DescribedFeature | undefined = {
    name: 'auth',
    description: DESCRIPTION,
    learnings: [COOKIE, CLOCK],
  }
  broken = false
  asked = 0

  change(feature: DescribedFeature | undefined): void {
    this.feature = feature
    this.#version++
  }
  version = async () => String(this.#version)
  features = async () => (this.feature ? [this.feature.name] : [])
  describe = async (name: string) => {
    this.asked++
    if (this.broken) throw new RalphError('damaged', 'features.yaml: not YAML', { hint: 'mend it' })
    return name === this.feature?.name ? this.feature : undefined
  }
}

async function open() {
  const folder = await temporaryFolder()
  const embedder = new FakeEmbedder()
  const board = new TestBoard()
  const index = openSqliteIndex({ path: join(folder, 'cache', 'index.db') })
  onTestFinished(() => index.close())
  const notices: Notice[] = []
  const memory = new FeatureMemory({
    project: '/home/dev/shop',
    memoryDir: join(folder, 'memory'),
    cacheDir: join(folder, 'cache'),
    index,
    embedder: async () => embedder,
    notices: new Notices((notice) => notices.push(notice)),
    board,
    searchDefaults: { limit: 3, minScore: 0.3 },
  })
  const add = (summary: string) => memory.recordIteration(newIteration({ feature: 'auth', summary }))
  return { memory, board, embedder, index, notices, add }
}

it('finds learnings and the feature itself beside its iterations, each with its type', async () => {
  const { memory, add } = await open()
  await add('Set the session cookie of the login page')
  const found = await memory.recall('auth', 'session cookie')
  expect(found.map(({ type }) => type).sort()).toEqual(['iteration', 'learning'])
  expect(found).toContainEqual(
    expect.objectContaining({ type: 'learning', learning: COOKIE, relevance: expect.any(String) }),
  )
  const [feature] = await memory.recall('auth', 'passkey sign in thirty days', { types: ['feature'] })
  expect(feature).toMatchObject({ type: 'feature', text: expect.stringContaining(DESCRIPTION) })
  expect(await memory.recall('auth', 'midnight', { types: ['learning'] })).toHaveLength(1)
  expect((await memory.search('auth', 'session cookie')).map(({ type }) => type)).toEqual(['iteration'])
})

it('finds a feature that has no journal yet, and nothing of it in another', async () => {
  const { memory } = await open()
  expect(await memory.searchable()).toEqual(['auth'])
  expect(await memory.recall('auth', 'session cookie')).toHaveLength(1)
  expect(await memory.orphans()).toEqual([])
  expect(await memory.recall('payments', 'session cookie')).toEqual([])
})

it('keeps level with the board, and embeds only what is new there', async () => {
  const { memory, board, embedder } = await open()
  await memory.catchUp('auth')
  expect(embedder.usage.texts).toBe(3)
  await memory.catchUp('auth')
  expect(board.asked).toBe(1)
  const reworded = { ...COOKIE, id: 'c3', text: 'The session cookie needs SameSite=Lax' }
  board.change({ ...board.feature!, learnings: [reworded, CLOCK] })
  const [found, ...others] = await memory.recall('auth', 'session cookie', { types: ['learning'] })
  expect(found).toMatchObject({ learning: reworded })
  expect(others).toEqual([])
  // The new learning and the two questions.
  expect(embedder.usage.texts).toBe(3 + 2)
  board.change(undefined)
  expect(await memory.recall('auth', 'session cookie')).toEqual([])
})

it('shows a learning as it stands, also when only its source or reason changed', async () => {
  const { memory, board } = await open()
  await memory.catchUp('auth')
  board.change({ ...board.feature!, learnings: [{ ...COOKIE, source: 'opus_reviewed' }] })
  expect(await memory.recall('auth', 'session cookie', { types: ['learning'] })).toMatchObject([
    { learning: { id: 'a1', source: 'opus_reviewed' } },
  ])
})

it('goes on with iterations while the board cannot be read, says so once, and catches up', async () => {
  const { memory, board, notices, add } = await open()
  board.broken = true
  await add('Set the session cookie of the login page')
  expect(await memory.recall('auth', 'session cookie')).toMatchObject([{ type: 'iteration' }])
  expect(await memory.recall('auth', 'session cookie')).toHaveLength(1)
  expect(notices).toMatchObject([{ message: expect.stringContaining('not YAML'), hint: 'mend it' }])
  board.broken = false
  expect(await memory.recall('auth', 'session cookie')).toHaveLength(2)
})

it('goes by the settings where a search says nothing else', async () => {
  const { memory, add } = await open()
  for (let at = 0; at < 5; at++) await add(`Login attempt ${at}`)
  expect(await memory.search('auth', 'login attempt')).toHaveLength(3)
  expect(await memory.search('auth', 'login attempt', { limit: 5 })).toHaveLength(5)
})
