import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Documents, type DocumentsOptions } from '../../src/documents/documents.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { mendingIndex } from '../../src/retrieval/mending.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Documents on real files, closed after the test. `folder` is empty, for what a test adds. */
export async function openTestDocuments(more: Partial<DocumentsOptions> = {}) {
  const [home, folder] = [await temporaryFolder(), await temporaryFolder()]
  const storage = more.storage ?? (await openSqliteStorage({ path: join(home, 'ralph.db') }))
  const said: Notice[] = []
  const notices = new Notices((notice) => said.push(notice))
  const index = mendingIndex(openSqliteIndex({ path: join(home, 'index.db') }), { notices, of: 'the user' })
  const embedder = new FakeEmbedder()
  const options: DocumentsOptions = {
    ...{ storage, index, notices, embedder: async () => embedder },
    whose: { person: 'somebody', home: async () => 'here' },
    searchDefaults: { limit: 20, minScore: 0.4 },
    requirePerson: async () => undefined,
    ...more,
  }
  onTestFinished(async () => {
    await index.close()
    await storage.close()
  })
  const again = (other: Partial<DocumentsOptions>) => new Documents({ ...options, ...other })
  return { documents: new Documents(options), again, storage, index, embedder, folder, home, said }
}
