import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadPeer } from '../load.ts'
import { DIMENSIONS, type Document, type Peer, type Store } from '../peer.ts'

/** Reciprocal rank fusion, as sqlite-vec's own guide to hybrid search has it. */
const RRF = 60
/** Candidates of each kind for one that is wanted. */
const WIDER = 2

/** What one would build by hand: vectors in sqlite-vec, words in FTS5 with its BM25, both in one file. */
export const peer: Peer = {
  name: 'sqlite-vec',
  title: 'FTS5 + sqlite-vec',
  searches: 'meaning and words',
  durable: 'flushed: SQLite, synchronous FULL',
  how: 'through `node:sqlite`: a vec0 table with cosine distance, an FTS5 table (porter), fused by reciprocal rank; exact',
  folder: 'sqlite-vec',
  batch: 1_000,
  open: async (folder) => {
    const { getLoadablePath } = await loadPeer<{ getLoadablePath: () => string }>('sqlite-vec')
    const db = new DatabaseSync(join(folder, 'store.db'), { allowExtension: true })
    db.loadExtension(getLoadablePath())
    db.exec(`
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;
      CREATE TABLE IF NOT EXISTS documents (number INTEGER PRIMARY KEY, title TEXT, body TEXT);
      CREATE VIRTUAL TABLE IF NOT EXISTS vectors USING vec0(
        number INTEGER PRIMARY KEY, vector FLOAT[${DIMENSIONS}] distance_metric=cosine);
      CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
        title, body, content='documents', content_rowid='number', tokenize='porter');
    `)
    return overDatabase(db)
  },
}

function overDatabase(db: DatabaseSync): Store {
  const insertDocument = db.prepare('INSERT INTO documents VALUES (?, ?, ?)')
  const insertVector = db.prepare('INSERT INTO vectors VALUES (?, ?)')
  const insertWords = db.prepare('INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)')
  const nearest = db.prepare('SELECT number FROM vectors WHERE vector MATCH ? AND k = ? ORDER BY distance')
  const ranked = db.prepare('SELECT rowid AS number FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?')
  const documentOf = db.prepare('SELECT title, body FROM documents WHERE number = ?')
  const bytes = (vector: Float32Array) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  const places = (rows: readonly object[]) => rows.map((row) => (row as { number: number }).number - 1)
  const near = (vector: Float32Array, limit: number) => places(nearest.all(bytes(vector), limit))

  const insert = (documents: readonly Document[]) => {
    db.exec('BEGIN IMMEDIATE')
    for (const { at, title, body, vector } of documents) {
      const number = BigInt(at + 1)
      insertDocument.run(number, title, body)
      insertVector.run(number, bytes(vector))
      insertWords.run(number, title, body)
    }
    db.exec('COMMIT')
  }
  return {
    insertMany: async (documents) => insert(documents),
    insertOne: async (document) => insert([document]),
    settle: async () => {
      db.exec("INSERT INTO words (words) VALUES ('optimize')")
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    nearest: async (vector, limit) => near(vector, limit),
    search: async ({ text, vector }, limit) => {
      const match = text.split(' ').map((word) => `"${word}"`)
      const lists = [near(vector, limit * WIDER), places(ranked.all(match.join(' OR '), limit * WIDER))]
      const scores = new Map<number, number>()
      for (const list of lists)
        for (const [rank, at] of list.entries()) scores.set(at, (scores.get(at) ?? 0) + 1 / (RRF + rank + 1))
      const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit)
      for (const [at] of best) documentOf.get(BigInt(at + 1))
      return best.map(([at]) => at)
    },
    close: async () => db.close(),
  }
}
