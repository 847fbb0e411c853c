import { join } from 'node:path'
import { MEASURED } from '../../../src/embedding/calibration.ts'
import { fuse } from '../../../src/retrieval/fusion.ts'
import type { CollectionSpec, IndexDocument } from '../../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../../src/search-index/sqlite.ts'
import { DIMENSIONS, type Document, type Peer } from '../peer.ts'

const SPEC: CollectionSpec = {
  name: 'bench',
  embedderId: 'handed-in',
  dimensions: DIMENSIONS,
  filterable: [],
}

/** What the libraries are to be compared with: vectors and texts in, the best out. */
export const peer: Peer = {
  name: 'our-index',
  title: 'its index alone',
  searches: 'meaning and words',
  durable: 'flushed: SQLite, synchronous FULL',
  how: 'the packed index that Ralph Memory searches with, without journal and thresholds; meaning and words fused',
  batch: 10_000,
  open: async (folder) => {
    const index = openSqliteIndex({ path: join(folder, 'index.db') })
    const put = (documents: readonly Document[]) => index.write(SPEC, { put: documents.map(stored) })
    const placeOf = ({ payload }: { payload: object }) => (payload as { at: number }).at
    return {
      insertMany: put,
      insertOne: (document) => put([document]),
      search: async ({ text, vector }, limit) =>
        fuse(await index.search(SPEC.name, { text, vector, limit }), {
          calibration: MEASURED,
          limit,
          minScore: 0,
        }).map(placeOf),
      nearest: async (vector, limit) =>
        (await index.search(SPEC.name, { text: '', vector, limit }))
          .sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1))
          .slice(0, limit)
          .map(placeOf),
      close: () => index.close(),
    }
  },
}

function stored({ at, title, body, vector }: Document): IndexDocument {
  const id = `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`
  const text = `${title}\n${body}`
  return { id, text, textHash: at.toString(16).padStart(64, '0'), vector, payload: { at, title, body } }
}
