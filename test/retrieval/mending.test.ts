import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Conversations } from '../../src/conversation-memory/conversations.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import { mendingIndex } from '../../src/retrieval/mending.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { failure } from '../project-knowledge/setup.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { openTestLedger } from '../support/ledger.ts'
import { SOMEBODY } from '../support/person.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** What happens to files. */
const ACCIDENTS: [name: string, happen: (path: string) => void][] = [
  ['deleted', (path) => rmSync(path)],
  ['overwritten', (path) => writeFileSync(path, 'not a database any more '.repeat(2_000))],
  ['emptied', (path) => truncateSync(path, 0)],
  ['cut short', (path) => truncateSync(path, 20_000)],
  ['with a page of zeros', (path) => overwrite(path, 8192 * 2, Buffer.alloc(8192))],
  ['without its mark', (path) => overwrite(path, 68, Buffer.alloc(4))],
  ['without the table of documents', (path) => execute(path, 'DROP TABLE documents')],
  ['without the table of collections', (path) => execute(path, 'DROP TABLE collections')],
  ['without vectors', (path) => execute(path, 'DELETE FROM vectors')],
  ['of a version that nobody knows any more', (path) => execute(path, 'PRAGMA user_version = 0')],
  ['without an index of its own', (path) => execute(path, 'DROP INDEX chunks_of_collection')],
  ['without a column', (path) => execute(path, 'ALTER TABLE loose DROP COLUMN checksum')],
  ['without half of its loose documents', (path) => execute(path, 'DELETE FROM loose WHERE document % 2')],
  ['without its first collection', (path) => execute(path, 'DELETE FROM collections WHERE number = 1')],
  ['with rubbish for a log', (path) => writeFileSync(`${path}-wal`, randomBytes(50_000))],
  ['with rubbish for shared memory', (path) => writeFileSync(`${path}-shm`, randomBytes(32_768))],
  ['of an unknown format', (path) => overwrite(path, 44, Buffer.from([0, 0, 0, 0x84]))],
  ['with a broken lease', (path) => writeFileSync(`${path}-lease`, 'broken '.repeat(2_000))],
]

function overwrite(path: string, at: number, bytes: Buffer): void {
  const all = readFileSync(path)
  bytes.copy(all, at)
  writeFileSync(path, all)
}

function execute(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

async function openMemories(folder: string) {
  const said: Notice[] = []
  const notices = new Notices((notice) => said.push(notice))
  const index = mendingIndex(openSqliteIndex({ path: join(folder, 'index.db') }), {
    notices,
    of: 'everything',
  })
  const storage = await openSqliteStorage({ path: join(folder, 'ralph.db') })
  const embedder = new FakeEmbedder()
  const parts = { index, notices, storage, embedder: async () => embedder }
  const conversations = new Conversations({
    person: SOMEBODY,
    ...parts,
    spend: openTestLedger(storage),
    summariser: extractiveSummariser(),
    sessionPlaces: sessionPlaces({}, folder),
    searchDefaults: { limit: 20, minSimilarity: 0.1 },
  })
  const close = async () => {
    await conversations.close()
    await index.close()
    await storage.close()
  }
  onTestFinished(close)
  return {
    said,
    close,
    conversations,
    knowledge: new ProjectKnowledge(parts),
    features: new FeatureMemory({
      ...parts,
      project: '/home/dev/shop',
      memoryDir: join(folder, 'memory'),
      cacheDir: folder,
    }),
  }
}

type Memories = Awaited<ReturnType<typeof openMemories>>

async function filledMemories(folder: string): Promise<void> {
  const { knowledge, conversations, features, close } = await openMemories(folder)
  await knowledge.capture(failure())
  await knowledge.checkpoint('manual')
  const said = {
    userMessage: 'Which tomatoes grow in shade?',
    assistantMessage: 'Cherry tomatoes cope best.',
  }
  await conversations.record({ conversationId: 'garden', id: 'garden-1', ...said }, { source: 'chat' })
  await features.recordIteration(newIteration({ summary: 'Login form crashed without a user object' }))
  await features.catchUp('authentication')
  await close()
}

const QUESTIONS: [name: string, ask: (memories: Memories) => Promise<number>][] = [
  [
    'knowledge',
    async ({ knowledge }) => {
      const description = 'login test times out waiting for the session cookie'
      return (await knowledge.queryForTask({ description }, { minScore: 0.3 })).length
    },
  ],
  [
    'conversations',
    async ({ conversations }) => (await conversations.search('tomatoes in shade')).results.length,
  ],
  [
    'features',
    async ({ features }) => (await features.search('authentication', 'login form crashed')).length,
  ],
]

describe('an index that is mended by whoever asks', () => {
  it.each(ACCIDENTS)('%s', async (_, happen) => {
    for (const [name, ask] of QUESTIONS) {
      const folder = await temporaryFolder()
      await filledMemories(folder)
      happen(join(folder, 'index.db'))
      const memories = await openMemories(folder)
      expect(await ask(memories), name).toBe(1)
      expect(await ask(memories), `${name}, asked again`).toBe(1)
      const about = memories.said.map(({ message }) => message)
      expect(new Set(about).size, about.join('\n')).toBe(about.length)
    }
  })
})

/** Not ours to throw away, or not to be thrown away: a person has to look. */
const FOREIGN: [name: string, put: (path: string) => void, message: string][] = [
  [
    'a database of another program',
    (path) => {
      rmSync(path)
      execute(path, "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
    },
    'is a database of another program',
  ],
  [
    'a folder',
    (path) => {
      rmSync(path)
      mkdirSync(join(path, 'inside'), { recursive: true })
    },
    'is no regular file',
  ],
  [
    'an index of a newer version',
    (path) => execute(path, 'ALTER TABLE documents ADD COLUMN later TEXT; PRAGMA user_version = 99'),
    'a newer ralph',
  ],
]

it.each(FOREIGN)('%s in its place is left alone, and said with the next step', async (_, put, message) => {
  for (const [name, ask] of QUESTIONS) {
    const folder = await temporaryFolder()
    await filledMemories(folder)
    const path = join(folder, 'index.db')
    put(path)
    const before = statSync(path).isFile() && readFileSync(path)
    const memories = await openMemories(folder)
    const thrown = await ask(memories).then(
      () => [],
      (error: unknown) => [error as Notice],
    )
    const about = [...memories.said, ...thrown].filter((one) => one.message.includes(message))
    expect(about, name).toHaveLength(1)
    expect(about[0]!.hint, name).toEqual(expect.any(String))
    expect(statSync(path).isFile() && readFileSync(path), name).toEqual(before)
  }
})

it('says once that a deleted index is filled again, with nothing to do for a person', async () => {
  const folder = await temporaryFolder()
  await filledMemories(folder)
  rmSync(join(folder, 'index.db'))
  const memories = await openMemories(folder)
  for (const [, ask] of [...QUESTIONS, ...QUESTIONS]) await ask(memories)
  expect(memories.said.map(({ message }) => message)).toEqual([
    '1 entry of project knowledge missing in the search index, put back from the database',
    expect.stringContaining('the search index held none of the conversations'),
  ])
})

it('is built again on request, also when a table is missing', async () => {
  const folder = await temporaryFolder()
  await filledMemories(folder)
  execute(join(folder, 'index.db'), 'DROP TABLE postings; DROP TABLE loose')
  const { features } = await openMemories(folder)
  await features.rebuild('authentication')
  expect(await features.search('authentication', 'login form crashed')).toHaveLength(1)
})

it('goes on forgetting when it meets the damage', async () => {
  const folder = await temporaryFolder()
  await filledMemories(folder)
  execute(join(folder, 'index.db'), 'DROP TABLE documents')
  const { conversations } = await openMemories(folder)
  await conversations.forget('garden')
  expect((await conversations.search('tomatoes in shade')).results).toEqual([])
})
