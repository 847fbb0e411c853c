import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPeer } from '../load.ts'
import type { Document, Peer } from '../peer.ts'

interface QmdStore {
  update(): Promise<{ indexed: number }>
  searchLex(text: string, options: { limit: number }): Promise<{ filepath: string }[]>
  close(): Promise<void>
}
interface Qmd {
  createStore(options: { dbPath: string; config: object }): Promise<QmdStore>
}

/** Files of one folder, so that no folder gets too large. */
const A_FOLDER = 1_000

export const peer: Peer = {
  name: 'qmd',
  title: 'qmd',
  searches: 'words',
  durable: 'not flushed: the file is the store, and its index an SQLite database in WAL mode',
  how: 'a Markdown file for each document, indexed by its update; words alone (its BM25 search), as its models are fetched from the network on first use',
  folder: 'qmd',
  batch: 10_000,
  open: async (folder) => {
    const { createStore } = await loadPeer<Qmd>('qmd')
    const files = join(folder, 'files')
    mkdirSync(files, { recursive: true })
    const store = await createStore({
      dbPath: join(folder, 'index.sqlite'),
      config: { collections: { bench: { path: files, pattern: '**/*.md' } } },
    })
    const write = ({ at, title, body }: Document) => {
      const part = join(files, String(Math.floor(at / A_FOLDER)))
      mkdirSync(part, { recursive: true })
      writeFileSync(join(part, `${at}.md`), `# ${title}\n\n${body}\n`)
    }
    return {
      insertMany: async (documents) => documents.forEach(write),
      settle: async () => void (await store.update()),
      insertOne: async (document) => {
        write(document)
        await store.update()
      },
      search: async ({ text }, limit) =>
        (await store.searchLex(text, { limit })).map(({ filepath }) =>
          Number(/(\d+)\.md$/.exec(filepath)?.[1]),
        ),
      close: () => store.close(),
    }
  },
}
