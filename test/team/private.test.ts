import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import { CONVERSATION_TOOLS } from '../../src/conversation-commands/tools.ts'
import { EXCHANGES } from '../../src/conversation-memory/documents.ts'
import { dashboardApi } from '../../src/dashboard/api/api.ts'
import { answerError } from '../../src/dashboard/api/errors.ts'
import { projectChanges } from '../../src/dashboard/live/project-changes.ts'
import { openRalph } from '../../src/ralph.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { saidBy } from '../support/in-process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const never = new AbortController().signal

/** A person with a home folder of their own, on the database of the team. */
async function person(name: string, url: string, folder: string, user = name) {
  const [home, project] = [join(folder, name, 'home'), join(folder, name, 'shop')]
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  const env = {
    RALPH_USER: user,
    RALPH_STORAGE: 'postgres',
    RALPH_POSTGRES_URL: url,
    RALPH_EMBEDDER: 'none',
    CLAUDE_CONFIG_DIR: join(folder, name, 'claude'),
  }
  const run = (...words: string[]) => saidBy(words, { cwd: project, home, env })
  const open = async () => {
    const ralph = await openRalph({ project, home, env, via: 'page', onNotice: () => undefined })
    onTestFinished(() => ralph.close())
    return ralph
  }
  const talk = (id: string, lines: readonly object[]) => {
    const file = join(folder, name, `${id}.jsonl`)
    writeFileSync(file, lines.map((line) => JSON.stringify({ conversation_id: id, ...line })).join('\n'))
    return run('conversations', 'import', file)
  }
  return { name, home, project, run, open, talk }
}

async function team() {
  const [{ url, remove }, folder] = [await temporaryDatabase(), await temporaryFolder()]
  onTestFinished(remove)
  const [ann, bob] = [await person('ann', url, folder), await person('bob', url, folder)]
  return { ann, bob, url, folder }
}

/** Stands in all that Ann said, and in nothing that Bob types. */
const SECRET = 'zebrafish'
const HERS = [
  {
    exchange_id: 'hers-e1',
    title: `The ${SECRET} report`,
    user_message: `Where does the ${SECRET} report go?`,
    assistant_message: `Into the folder ${SECRET}.`,
    tags: [`${SECRET}-tag`],
    started_at: '2026-03-01T10:00:00Z',
    messages: [{ role: 'tool_result', content: `${SECRET} found` }],
  },
  {
    exchange_id: 'hers-e2',
    user_message: 'And then?',
    assistant_message: `Read the ${SECRET} report aloud.`,
  },
]
const HIS = [{ exchange_id: 'b1', user_message: 'How do we deploy the shop?', assistant_message: 'By make.' }]
const QUESTION = 'where does the report go, into the folder'

const ASKED: readonly (readonly string[])[] = [
  ['conversations', 'list', '--json'],
  ['conversations', 'search', QUESTION],
  ['conversations', 'show', 'hers-talk'],
  ['conversations', 'show', 'x-hers-e1'],
  ['conversations', 'open', 'hers-e1'],
  ['conversations', 'export'],
  ['conversations', 'tag', 'list'],
  ['conversations', 'tag', 'list', 'hers-talk'],
  ['conversations', 'tag', 'add', 'mine', 'hers-talk'],
  ['conversations', 'forget', 'hers-talk', '--yes'],
  ['conversations', 'share', 'hers-talk'],
  ['rag', 'status'],
  ['rag', 'upvote', 'hers-e2'],
  ['workers', 'status', '--json'],
  ['workers', 'queue'],
  ['workers', 'run', '--once'],
  ['embeddings', 'status'],
  ['search', QUESTION, '--json'],
  ['show', 'c-hers-talk'],
  ['show', 'x-hers-e1'],
  ['show', 'hers'],
  ['status', '--json'],
  ['doctor'],
  ['user'],
]

it('shows nothing of what is private on any surface of another person', { timeout: 120_000 }, async () => {
  const { ann, bob } = await team()
  await ann.talk('hers-talk', HERS)
  await ann.run('rag', 'upvote', 'hers-e1')
  await ann.run('conversations', 'search', QUESTION)
  await ann.run('workers', 'run', '--once')
  await bob.talk('shop-talk', HIS)
  for (const words of ASKED) {
    const { stdout, stderr } = await bob.run(...words)
    expect(stdout + stderr, words.join(' ')).not.toMatch(/zebrafish/)
    if (!words.some((word) => word.includes('hers'))) expect(stdout, words.join(' ')).not.toMatch(/hers-/)
  }
  const status = JSON.parse((await bob.run('rag', 'status', '--json')).stdout)
  expect(status).toMatchObject({ history: { conversations: 1, exchanges: 1 }, last_retrieval: null })
  expect(JSON.parse((await ann.run('rag', 'status', '--json')).stdout)).toMatchObject({
    history: { conversations: 1, exchanges: 2 },
  })

  const ralph = await bob.open()
  const conversations = await ralph.openConversations()
  expect(await conversations.contextFor(QUESTION)).toBeUndefined()
  expect((await conversations.history.steps(['hers-e1'])).size).toBe(0)
  expect(await conversations.history.exchangesOf('hers-talk')).toEqual([])
  for (const tool of CONVERSATION_TOOLS) {
    const args = { query: QUESTION, conversation_id: 'hers-talk' }
    const answer = await tool.run(conversations, args as never, { signal: never }).catch(String)
    expect(JSON.stringify(answer)).not.toMatch(/zebrafish/)
  }
  const changes = projectChanges(ralph)
  onTestFinished(() => changes.close())
  const api = new Hono().onError(answerError).route('/', dashboardApi({ ralph, readOnly: false, changes }))
  const pages = [
    ...['/conversations', '/conversations/about', `/conversations/search?query=${QUESTION}`],
    ...['/conversations/conversation?id=hers-talk', '/conversations/exchange?id=hers-e1'],
    ...[`/search?query=${QUESTION}`, '/map', '/workers', '/overview', '/doctor', '/settings'],
  ]
  for (const page of pages) expect(await (await api.request(page)).text(), page).not.toMatch(/zebrafish/)
})

it('lets each have their own settings, votes and workers, and ids that both have', {
  timeout: 120_000,
}, async () => {
  const { ann, bob } = await team()
  await ann.talk('same', HERS)
  // The same file, as when two people have worked on one machine.
  const again = await bob.talk('same', HERS)
  expect(again.stdout).toMatch(/2/)
  expect((await bob.talk('same', HERS)).stdout).not.toMatch(/[1-9]\d* added/)
  const [hers, his] = [await ann.open(), await bob.open()]
  const [one, other] = [await hers.openConversations(), await his.openConversations()]
  expect(await one.history.counts()).toEqual({ conversations: 1, exchanges: 2 })
  expect(await other.history.counts()).toEqual({ conversations: 1, exchanges: 2 })
  const [mine] = await other.history.list()
  expect(mine).toMatchObject({ title: `The ${SECRET} report` })
  expect(mine!.id).not.toBe('same')
  expect(await other.tags.of(mine!.id)).toEqual([`${SECRET}-tag`])

  await other.settings.write('ragEnabled', false)
  await other.workers.enable('exchange', false)
  expect(await one.settings.read()).toMatchObject({ ragEnabled: true, summarizerExchangeEnabled: true })
  expect(await one.workers.runOnce(never)).toMatchObject({ exchange: 2, conversation: 1 })
  expect(await other.workers.status('exchange')).toMatchObject({ totals: { completed: 0 }, waiting: 2 })
  expect((await other.history.exchangesOf(mine!.id)).map(({ summary }) => summary)).toEqual([
    undefined,
    undefined,
  ])
  await one.votes.cast('hers-e1', 1)
  expect(await other.votes.balances()).toEqual(new Map())
  await one.forget('same')
  expect(await other.history.counts()).toEqual({ conversations: 1, exchanges: 2 })
  expect((await bob.talk('same', HERS)).stdout).not.toMatch(/[1-9]\d* added/)
})

it('shares what its owner shares, says whose it is, and takes it back', { timeout: 120_000 }, async () => {
  const { ann, bob } = await team()
  await ann.talk('hers-talk', HERS)
  await bob.talk('shop-talk', HIS)
  expect((await ann.run('conversations', 'share', 'hers-talk')).stdout).toContain('Shared: c-hers')
  expect((await ann.run('conversations', 'list')).stdout).toMatch(/zebrafish.*shared$/m)
  expect((await bob.run('conversations', 'list')).stdout).toMatch(/zebrafish.*shared by ann$/m)
  expect((await bob.run('conversations', 'search', QUESTION)).stdout).toContain('shared by ann')
  expect((await bob.run('search', QUESTION)).stdout).toContain('shared by ann')
  const refused = await bob.run('conversations', 'forget', 'hers-talk', '--yes')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("is ann's") })

  const [hers, his] = [await ann.open(), await bob.open()]
  const [one, other] = [await hers.openConversations(), await his.openConversations()]
  const { text } = (await other.contextFor(QUESTION, { minSimilarity: 0.1 }))!
  expect(text).toContain('Shared by: "ann"')
  await other.votes.cast('hers-e1', -1)
  expect((await one.history.exchange('hers-e1'))?.votes).toBe(0)
  expect((await other.history.exchange('hers-e1'))?.votes).toBe(-1)
  expect(await other.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 1 })

  await one.sharing.unshare(['hers-talk'])
  expect((await other.search(QUESTION)).results.map(({ conversation }) => conversation.id)).not.toContain(
    'hers-talk',
  )
  expect(await other.history.conversation('hers-talk')).toBeUndefined()
  await other.close()
  expect(await indexed(bob.home)).toEqual(['shop-talk'])
  // And is found again when it is shared again, or forgotten for good.
  await one.sharing.share(['hers-talk'])
  expect((await bob.run('conversations', 'search', QUESTION)).stdout).toContain('shared by ann')
  await one.forget('hers-talk')
  await bob.run('conversations', 'search', QUESTION)
  expect(await indexed(bob.home)).toEqual(['shop-talk'])
})

/** The conversations whose exchanges a person's index holds. */
async function indexed(home: string): Promise<string[]> {
  const [file] = readdirSync(join(home, 'indexes')).filter((name) => name.endsWith('.db'))
  const index = openSqliteIndex({ path: join(home, 'indexes', file!) })
  try {
    const [own] = await index.collections({ prefix: EXCHANGES })
    const documents = await index.read(own!.name, { limit: 100 })
    return [...new Set(documents.map(({ payload }) => String(payload['conversation'])))]
  } finally {
    await index.close()
  }
}

it('lets nobody in who has the name of somebody else, until they say who they are', {
  timeout: 120_000,
}, async () => {
  const { ann, url, folder } = await team()
  await ann.talk('hers-talk', HERS)
  const namesake = await person('other', url, folder, 'ann')
  const refused = await namesake.run('conversations', 'list')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/somebody is called "ann".*\n.*ralph user --same.*ralph user NAME/)
  // All else goes on.
  expect(await namesake.run('gate', 'list')).toMatchObject({ code: 0 })
  expect(await namesake.run('knowledge', 'list')).toMatchObject({ code: 0 })
  expect((await namesake.run('search', QUESTION)).stderr).toContain('somebody is called "ann"')
  const status = await namesake.run('status')
  expect(status.stdout + status.stderr).toContain('ralph user --same')
  expect((await namesake.run('user', '--same')).stdout).toContain('You are ann.')
  expect((await namesake.run('conversations', 'list')).stdout).toContain(SECRET)
})
