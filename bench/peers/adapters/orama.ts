import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadPeer } from '../load.ts'
import { DIMENSIONS, type Document, type Peer } from '../peer.ts'

interface Hits {
  hits: { id: string }[]
}
interface Orama {
  create(options: { schema: object }): object
  insert(db: object, document: object): Promise<string> | string
  insertMultiple(db: object, documents: object[], batch?: number): Promise<string[]> | string[]
  search(db: object, query: object): Promise<Hits> | Hits
}
interface Persistence {
  persistToFile(db: object, format: string, path: string): Promise<string>
  restoreFromFile(format: string, path: string): Promise<object>
}

/** It has three; this one is the smallest that its documentation offers for files. */
const FORMAT = 'binary'

export const peer: Peer = {
  name: 'orama',
  title: 'Orama',
  searches: 'meaning and words',
  durable: 'not flushed, and every insert that is to outlast the process writes everything again',
  how: 'in memory, kept in one file by its persistence plugin (binary) and read back as a whole when opened; hybrid mode with similarity 0, so that vectors are compared exactly',
  folder: 'orama',
  batch: 10_000,
  open: async (folder) => {
    const { orama, persistence } = await loadPeer<{ orama: Orama; persistence: Persistence }>('orama')
    const { create, insert, insertMultiple, search } = orama
    const { persistToFile, restoreFromFile } = persistence
    const file = join(folder, 'store.msp')
    const schema = { title: 'string', body: 'string', vector: `vector[${DIMENSIONS}]` }
    const db = existsSync(file) ? await restoreFromFile(FORMAT, file) : create({ schema })
    const keep = () => persistToFile(db, FORMAT, file)
    const rowOf = ({ at, title, body, vector }: Document) => ({
      id: String(at),
      title,
      body,
      vector: [...vector],
    })
    const placesOf = async (found: Promise<Hits> | Hits) => (await found).hits.map(({ id }) => Number(id))
    const near = (vector: Float32Array) => ({
      vector: { value: [...vector], property: 'vector' },
      similarity: 0,
    })
    return {
      insertMany: async (documents) => void (await insertMultiple(db, documents.map(rowOf), 1_000)),
      settle: async () => void (await keep()),
      insertOne: async (document) => {
        await insert(db, rowOf(document))
        await keep()
      },
      search: ({ text, vector }, limit) =>
        placesOf(
          search(db, { mode: 'hybrid', term: text, properties: ['title', 'body'], ...near(vector), limit }),
        ),
      nearest: (vector, limit) => placesOf(search(db, { mode: 'vector', ...near(vector), limit })),
      close: async () => undefined,
    }
  },
}
