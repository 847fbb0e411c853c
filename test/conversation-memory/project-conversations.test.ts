import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rememberedExchange } from '../../src/setup/remembered.ts'
import { keptSessions } from '../../src/transcripts/kept-sessions.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { fix, project, prompt, says } from './session-lines.ts'

const at = (cwd: string, sessionId: string) => ({ cwd, sessionId })
const SHOP = '/home/dev/shop'
const FILES = {
  '-home-dev-shop/session-1.jsonl': [...fix, prompt('ok, thanks!'), says('Welcome.')],
  // Its folder begins like that of the shop, but it is another project.
  '-home-dev-shop-old/session-2.jsonl': [
    prompt('Why is the old shop slow?', at(`${SHOP}-old`, 'session-2')),
    says('It has no index.', at(`${SHOP}-old`, 'session-2')),
  ],
  '-home-dev-shop-api/session-3.jsonl': [
    prompt('/clear', at(`${SHOP}/api`, 'session-3')),
    says('Done.', at(`${SHOP}/api`, 'session-3')),
  ],
}

it('imports the sessions of one project, shows one of them, and forgets them all', async () => {
  const { conversations, root } = await project(FILES)
  const mine = conversations.ofProject(SHOP)
  const report = await conversations.importSessions(root, { project: SHOP })
  expect(report).toMatchObject({ files: { found: 2, read: 2 }, conversations: 2 })
  expect((await conversations.history.list()).map(({ id }) => id).sort()).toEqual(['session-1', 'session-3'])
  // Neither small talk nor a command to the program is worth showing.
  expect(await rememberedExchange(conversations, SHOP)).toMatchObject({
    kind: 'exchange',
    asked: 'The login test hangs. Please fix it.',
    answered: 'Set the timeout to 120 s. All tests pass.',
  })
  await conversations.importSessions(root)
  expect(await mine.count()).toBe(2)
  expect(await mine.forget()).toBe(2)
  expect((await conversations.history.list()).map(({ id }) => id)).toEqual(['session-2'])
  expect(await rememberedExchange(conversations, SHOP)).toBeUndefined()
})

it('knows which files an import would read, and reads them again once they are forgotten', async () => {
  const { conversations, root, folder, again } = await project(FILES)
  const places = { ...sessionPlaces({}, folder), 'claude-code': root }
  const files = (await keptSessions(places, { project: SHOP })).sessions
  const own = (await again({ sessionPlaces: places })).conversations
  expect(await own.ofProject(SHOP).unread(files)).toHaveLength(2)
  await conversations.importSessions(root, { project: SHOP })
  expect(await own.ofProject(SHOP).unread(files)).toEqual([])
  await own.ofProject(SHOP).forget()
  expect(await own.ofProject(SHOP).unread(files)).toHaveLength(2)
})

it('knows the sessions that went by another name of the same folder', async () => {
  const folder = await temporaryFolder()
  const [real, link] = [join(folder, 'Shop'), join(folder, 'link')]
  await mkdir(join(real, 'api'), { recursive: true })
  await symlink(real, link)
  const spelled = (cwd: string) => cwd.replace(/[^a-zA-Z0-9]/g, '-')
  const session = (id: string, cwd: string) => [
    prompt(`What is ${id}?`, at(cwd, id)),
    says('A name.', at(cwd, id)),
  ]
  const { conversations, root } = await project({
    [`${spelled(link)}/linked.jsonl`]: session('linked', join(link, 'api')),
    // As Windows and macOS have it, where letters do not matter: the session itself says where it was.
    [`${spelled(real).toLowerCase()}/small.jsonl`]: session('small', real),
    [`${spelled(real)}/windows.jsonl`]: session('windows', 'C:\\work\\Shop'),
  })
  const ids = async () => (await conversations.ofProject(real).latest(9)).map(({ id }) => id).sort()
  await conversations.importSessions(root, { project: real })
  expect(await ids()).toEqual(['small'])
  await conversations.importSessions(root, { project: link })
  expect(await ids()).toEqual(['linked', 'small'])
  await conversations.importSessions(root)
  expect(await conversations.ofProject(real).forget()).toBe(2)
  expect((await conversations.history.list()).map(({ id }) => id)).toEqual(['windows'])
})

it('says for which project there are no sessions', async () => {
  const { conversations, root } = await project(FILES)
  await expect(conversations.importSessions(root, { project: '/home/dev/blog' })).rejects.toThrow(
    `of /home/dev/blog in ${root}`,
  )
})
