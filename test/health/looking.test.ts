import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { workersStatus } from '../../src/conversation-memory/status.ts'
import { openRalph } from '../../src/ralph.ts'
import { recallEverything } from '../../src/recall/recall.ts'
import { temporaryFolder } from '../support/temporary.ts'

it.each([
  ['not there', false],
  ['empty', true],
])('leaves nothing behind where there is no memory, with a home that is %s', async (_, made) => {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(project)
  if (made) mkdirSync(home)
  const env = { RALPH_EMBEDDER: 'none' }
  const ralph = await openRalph({ project, home, env, onNotice: () => undefined, via: 'command' })
  const { health, overview, featureMemory, knowledge } = ralph
  await health.status()
  expect((await health.examine()).filter(({ level }) => level === 'problem')).toEqual([])
  await overview.waiting()
  await overview.work()
  await overview.told()
  await recallEverything(ralph, 'why did the login fail')
  expect(ralph.hasStored()).toBe(false)
  await featureMemory.search('auth', 'why did the login fail')
  await knowledge.gates.list({ state: 'waiting' })
  await knowledge.list({})
  const conversations = await ralph.openConversations()
  await conversations.history.counts()
  await workersStatus(conversations, ['conversation', 'exchange', 'embedding'])
  await ralph.stored.marks()
  await ralph.learnings.known('auth')
  await ralph.board.tasks()
  await ralph.configuration.list()
  ralph.identity.look()
  await ralph.close()
  expect(readdirSync(project)).toEqual([])
  expect(existsSync(home)).toBe(made)
  if (made) expect(readdirSync(home)).toEqual([])
})
