import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function opened({ env = {} as NodeJS.ProcessEnv, settings = {} } = {}): Promise<Ralph> {
  const folder = await temporaryFolder()
  const project = join(folder, 'shop')
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  const home = join(folder, 'home')
  const ralph = await openRalph({
    project,
    home,
    env: { RALPH_EMBEDDER: 'none', ...env },
    settings,
    onNotice: () => undefined,
  })
  onTestFinished(() => ralph.close())
  return ralph
}

it('finds nothing where nothing is, and makes nothing', async () => {
  const ralph = await opened()
  expect(await ralph.overview.waiting()).toEqual({ count: 0, items: [], troubles: [] })
})

it('lists gates of this project, the longest waiting first', async () => {
  const ralph = await opened()
  const { project } = ralph.config
  const request = { gateType: 'review', approach: 'done', feature: 'cart' }
  await ralph.knowledge.gates.request({ ...request, project, taskId: 7, taskTitle: 'Sum it up' })
  await ralph.knowledge.gates.request({ ...request, project: join(project, 'other'), taskId: 8 })
  const { count, items } = await ralph.overview.waiting()
  expect(count).toBe(1)
  expect(items).toMatchObject([
    {
      kind: 'gate',
      about: 'task 7: Sum it up',
      detail: 'waits at the gate review',
      feature: 'cart',
      command: expect.stringMatching(/^ralph gate show g-[0-9a-f]{8}$/),
    },
  ])
})

it('lists contradictions once each, and counts what nobody has looked at', async () => {
  const ralph = await opened()
  await ralph.board.addFeature({ name: 'the cart' })
  const learn = (text: string, source: 'agent' | 'human') =>
    ralph.learnings.append('the cart', { text, reason: 'seen', source })
  await learn('Always use bcrypt to hash passwords in the login route', 'agent')
  await learn('Never use bcrypt to hash passwords in the login route', 'agent')
  await learn('Prices are kept in cents', 'human')
  const { count, items } = await ralph.overview.waiting()
  expect(items.map(({ kind }) => kind)).toEqual(['conflict', 'learnings'])
  expect(items[0]).toMatchObject({
    about: expect.stringContaining('bcrypt'),
    command: expect.stringMatching(/^ralph learnings review l-\w+ --keep-this --feature 'the cart'$/),
  })
  expect(items[1]).toMatchObject({ count: 2, feature: 'the cart' })
  expect(count).toBe(3)
  const [first] = await ralph.learnings.known('the cart')
  await ralph.learnings.resolve('the cart', first!.id, 'keep_this', 'person')
  expect((await ralph.overview.waiting()).items).toEqual([])
})

it('lists what the settings ask for now, not only when it was opened', async () => {
  const ralph = await opened()
  writeFileSync(ralph.config.paths.projectFile, JSON.stringify({ loop: { agent: ['./agent.sh'] } }))
  await ralph.board.addDiscipline({ name: 'web', mcpServers: { own: { command: 'serve-it' } } })
  const { items } = await ralph.overview.waiting()
  expect(items).toMatchObject([
    { kind: 'trust', about: 'loop', command: 'ralph trust' },
    { kind: 'trust', about: 'discipline web' },
  ])
})

it('lists what is wrong with the board', async () => {
  const ralph = await opened()
  await ralph.board.addTask({ title: 'Lost', feature: 'nowhere', blockedBy: [99] })
  const { items } = await ralph.overview.waiting()
  expect(items.map(({ kind, about }) => [kind, about])).toEqual([
    ['board', expect.stringContaining('blocked by task 99')],
    ['board', expect.stringContaining('"nowhere"')],
  ])
})

it('says when a review is due', async () => {
  const ralph = await opened({ settings: { loop: { reviewEvery: 2 } } })
  await ralph.board.addFeature({ name: 'authentication' })
  await ralph.board.addTask({ title: 'Go on', feature: 'authentication' })
  const due = async () => (await ralph.overview.waiting()).items.filter(({ kind }) => kind === 'due_review')
  await ralph.featureMemory.recordIteration(newIteration())
  await ralph.featureMemory.recordIteration(newIteration({ kind: 'session', taskId: 0 }))
  expect(await due()).toEqual([])
  await ralph.featureMemory.recordIteration(newIteration())
  expect(await due()).toMatchObject([{ about: 'authentication', command: 'ralph loop' }])
  await ralph.featureMemory.recordIteration(newIteration({ kind: 'review', taskId: 0 }))
  expect(await due()).toEqual([])
})

it('says what it could not look at, and goes on with the rest', async () => {
  const ralph = await opened({
    env: { RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: 'postgres://127.0.0.1:9/none' },
  })
  await ralph.board.addTask({ title: 'Lost', feature: 'nowhere' })
  writeFileSync(ralph.config.paths.projectFile, '{')
  const { items, troubles } = await ralph.overview.waiting()
  expect(items).toMatchObject([{ kind: 'board' }])
  expect(troubles.map(({ part }) => part).sort()).toEqual(['gates', 'settings'])
})
