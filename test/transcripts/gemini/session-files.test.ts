import { createHash } from 'node:crypto'
import { copyFile, mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sessionPlaces } from '../../../src/transcripts/session-places.ts'
import { SESSION_STORES } from '../../../src/transcripts/session-stores.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/agents')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Copies a recorded session to a place below a folder; `age`: how many minutes ago it was written. */
async function keep(folder: string, place: string, fixture: string, age: number): Promise<void> {
  const path = join(folder, place)
  await mkdir(dirname(path), { recursive: true })
  await copyFile(join(FIXTURES, fixture), path)
  const time = new Date(Date.UTC(2026, 10, 16, 18) - age * 60_000)
  await utimes(path, time, time)
}

const names = (files: readonly { path: string }[], folder: string) =>
  files.map(({ path }) => path.slice(folder.length + 1).replaceAll('\\', '/'))

async function geminiHome(): Promise<string> {
  const home = await temporaryFolder()
  const session = (name: string) => `gemini/session-files/${name}`
  const old = sha256('/home/user/project')
  await keep(home, 'tmp/project/chats/session-1-b0971dca.jsonl', session('08a-resume.session.jsonl'), 9)
  await keep(home, 'tmp/project/chats/session-2-b0971dca.jsonl', session('08a-resume.stub-session.jsonl'), 1)
  await keep(home, 'tmp/project/chats/session-0-8f0b2a3b.jsonl', session('00-hello.session.jsonl'), 20)
  await keep(home, 'tmp/project/chats/b0971dca/helper.jsonl', session('00-hello.session.jsonl'), 8)
  await keep(home, `tmp/${old}/chats/session-0-766f94cb.json`, session('12-old-0.24.0.session.json'), 30)
  await keep(home, 'tmp/shop/chats/session-0-cf58b620.jsonl', session('07-hooks.session.jsonl'), 5)
  await writeFile(join(home, 'tmp/project/.project_root'), '/home/user/project')
  await writeFile(join(home, 'tmp/project/logs.json'), '[]')
  await writeFile(join(home, 'projects.json'), JSON.stringify({ projects: { '/home/user/shop': 'shop' } }))
  return home
}

test('the sessions of a Gemini project are found by its folder’s note, its hash or the list', async () => {
  const home = await geminiHome()
  const place = join(home, 'tmp')
  const store = await SESSION_STORES.gemini!()
  const found = await store.findOfProject(place, '/home/user/project')
  expect(names(found, place)).toEqual([
    'project/chats/b0971dca/helper.jsonl',
    'project/chats/session-1-b0971dca.jsonl',
    'project/chats/session-0-8f0b2a3b.jsonl',
    `${sha256('/home/user/project')}/chats/session-0-766f94cb.json`,
  ])
  expect(found.map((file) => store.isWhole(file))).toEqual([false, true, true, true])
  expect(names(await store.findOfProject(place, '/home/user/shop'), place)).toEqual([
    'shop/chats/session-0-cf58b620.jsonl',
  ])
  expect(await store.findOfProject(place, '/home/user/sho')).toEqual([])
  expect(await store.findOfProject(join(home, 'absent'), '/home/user/shop')).toEqual([])
})

test('all of them are found below the place, without what a resumed session leaves', async () => {
  const home = await geminiHome()
  const store = await SESSION_STORES.gemini!()
  const found = names(await store.find(join(home, 'tmp')), join(home, 'tmp'))
  expect(found).toHaveLength(5)
  expect(found).not.toContain('project/chats/session-2-b0971dca.jsonl')
  const stub = join(home, 'tmp/project/chats/session-2-b0971dca.jsonl')
  expect(await store.find(stub)).toMatchObject([{ path: stub }])
  await expect(store.find(join(home, 'absent'))).rejects.toMatchObject({ code: 'not_found' })
})

test('a document that goes on in a file of lines is left for that', async () => {
  const home = await temporaryFolder()
  await keep(home, 'p/chats/session-0-766f94cb.json', 'gemini/session-files/12-old-0.24.0.session.json', 2)
  await keep(home, 'p/chats/session-0-766f94cb.jsonl', 'gemini/session-files/00-hello.session.jsonl', 1)
  const store = await SESSION_STORES.gemini!()
  expect(names(await store.find(home), home)).toEqual(['p/chats/session-0-766f94cb.jsonl'])
})

test('the sessions of a Qwen project are those that took place in it or below', async () => {
  const home = await temporaryFolder()
  const session = 'qwen/session-files/00-hello.session.jsonl'
  await keep(home, '-home-user-project/chats/a.jsonl', session, 3)
  await keep(home, '-home-user-project/subagents/a/agent-x.jsonl', session, 2)
  await keep(home, '-home-user-project/telemetry/other.jsonl', session, 1)
  await keep(home, '-home-user-project-old/chats/b.jsonl', 'qwen/session-files/01-first-go.session.jsonl', 1)
  const store = await SESSION_STORES.qwen!()
  const found = await store.findOfProject(home, '/home/user/project')
  // The last one names the project in its lines, whatever its folder is called.
  expect(names(found, home)).toEqual([
    '-home-user-project-old/chats/b.jsonl',
    '-home-user-project/subagents/a/agent-x.jsonl',
    '-home-user-project/chats/a.jsonl',
  ])
  expect(found.map((file) => store.isWhole(file))).toEqual([true, false, true])
  expect(await store.findOfProject(home, '/home/user/project-old')).toEqual([])
  expect(await store.find(home)).toHaveLength(3)
})

test('both keep them where their own variables say', () => {
  expect(sessionPlaces({ GEMINI_CLI_HOME: '/g', QWEN_HOME: '/q' }, '/home/user')).toMatchObject({
    gemini: join('/g', '.gemini', 'tmp'),
    qwen: join('/q', 'projects'),
  })
  expect(sessionPlaces({}, '/home/user')).toMatchObject({
    gemini: join('/home/user', '.gemini', 'tmp'),
    qwen: join('/home/user', '.qwen', 'projects'),
  })
})
