/**
 * The embedded index after the question is embedded: a collection of 1,000 alone and among 100,000, one of 100,000,
 * inserts and size, next to the usual way (sqlite-vec with a partition key, FTS5 with its own BM25) in the same run.
 * Vectors are random (nothing is easier to find than anything else), words follow Zipf's law. Processor time is given
 * too, as other programs disturb it less.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'
import type { SearchRequest } from '../src/search-index/query.ts'
import type { CollectionSpec, IndexDocument } from '../src/search-index/search-index.ts'
import { openSqliteIndex } from '../src/search-index/sqlite.ts'
import { searchTerms } from '../src/text/words.ts'
import { Clock } from './support/clock.ts'
import { median, percentile } from './support/figures.ts'
import { RandomTexts } from './support/random-texts.ts'
import { runOnce, sayHowQuiet } from './support/rounds.ts'

const DIMENSIONS = 384
const SMALL = 1_000
const LARGE = 100_000
const SEARCHES = 100
const WARM_UP = 10
/** A search in 100,000 documents is to take no longer. */
const MOST_MS = 10
const FILTERABLE = ['outcome', 'timestamp']

const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-search-'))
const path = join(folder, 'index.db')
const random = new RandomTexts(1)
const index = openSqliteIndex({ path })
const peer = openPeer(join(folder, 'peer.db'))
const bulk = { ours: new Clock(), peer: new Clock(), documents: 0, text: 0 }

await fill('small', SMALL)
const alone = await searches('small')
for (let at = 0; at < 9; at++) await fill(`other ${at}`, SMALL)
await fill('large', LARGE)
const among = await searches('small')
const large = await searches('large')
const filtered = await searches('large', { outcome: { in: ['failure'] } })
const recent = await searches('large', { timestamp: { from: timestamp(LARGE / 2) } })

figures('milliseconds a search', [
  ['1,000 documents, alone', alone],
  [`the same among ${(bulk.documents / 1_000).toFixed(0)},000`, among],
  ['100,000 documents', large],
  ['  with a filter on one value', filtered],
  ['  with a filter on time', recent],
])
const goals: [string, boolean][] = [
  ['1,000 at least as fast as FTS5 + sqlite-vec', median(among.ours.wall) <= median(among.peer.wall)],
  ['  the same by processor time', among.ours.cpu <= among.peer.cpu],
  [`100,000 in at most ${MOST_MS} ms`, median(large.ours.wall) <= MOST_MS],
  ['  the same by processor time', large.ours.cpu / SEARCHES <= MOST_MS],
]
for (const [goal, met] of goals) console.log(`${goal.padEnd(48)}${met ? 'met' : 'NOT met'}`)
sayHowQuiet(Array.from({ length: 15 }, () => runOnce(['-e', '0'])))
console.log(`among others : alone                 ${ratio(median(among.ours.wall), median(alone.ours.wall))}`)
console.log(
  `first search of a cold process       ${coldSearch('small')} ms of 1,000, ${coldSearch('large')} ms of 100,000`,
)

const flush = Array.from({ length: 50 }, () => timed(flushOnce))
const single: number[] = []
for (let at = 0; at < 300; at++) {
  const [document] = documents(1, at)
  const start = performance.now()
  await index.write(spec('small'), { put: [document!] })
  single.push(performance.now() - start)
}
console.log(
  `\none durable insert                   ${median(single).toFixed(2)} ms, with packing ${(sum(single) / single.length).toFixed(2)} ms` +
    ` (the disk's own flush: ${median(flush).toFixed(2)} ms)`,
)
const rate = ({ wall, cpu }: Clock) =>
  `${Math.round(bulk.documents / (sum(wall) / 1e3))}, by processor time ${Math.round(bulk.documents / (cpu / 1e3))}`
console.log(`bulk insert, documents a second      ${rate(bulk.ours)} (peer ${rate(bulk.peer)})`)
await index.close()
const size = (file: string) => statSync(file).size / bulk.documents
const vectorBytes = DIMENSIONS * 2
const textBytes = bulk.text / bulk.documents
console.log(
  `bytes a document                     ${size(path).toFixed(0)} (peer ${size(join(folder, 'peer.db')).toFixed(0)}):` +
    ` vector ${vectorBytes}, text ${textBytes.toFixed(0)}, so ${ratio(size(path) - vectorBytes, textBytes)} × the text` +
    ' with payload and all',
)
peer.close()
rmSync(folder, { recursive: true })

interface Times {
  ours: Clock
  peer: Clock
}

function timestamp(at: number): string {
  return new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString()
}

function documents(count: number, from = 0): IndexDocument[] {
  return Array.from({ length: count }, (_, at) => {
    const text = random.text(40)
    const outcome = ['success', 'failure', 'partial'][(from + at) % 3]!
    const payload = { outcome, timestamp: timestamp(from + at), summary: text }
    return { id: random.uuid(), text, textHash: 'f'.repeat(64), vector: random.vector(DIMENSIONS), payload }
  })
}

function spec(name: string): CollectionSpec {
  return { name, embedderId: 'bench', dimensions: DIMENSIONS, filterable: FILTERABLE }
}

async function fill(collection: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const batch = documents(1_000, from)
    await bulk.ours.time(() => index.write(spec(collection), { put: batch }))
    await bulk.peer.time(() => peer.insert(collection, batch))
    bulk.documents += batch.length
    bulk.text += batch.reduce((sum, { text }) => sum + text.length, 0)
  }
}

/** One after the other, so that neither finds the processor's caches emptied by the other. */
async function searches(collection: string, filter?: SearchRequest['filter']): Promise<Times> {
  const times: Times = { ours: new Clock(), peer: new Clock() }
  const requests = Array.from({ length: WARM_UP + SEARCHES }, () => ({
    text: random.text(6),
    vector: random.vector(DIMENSIONS),
    limit: 20,
  }))
  for (const [at, request] of requests.entries()) {
    if (at === WARM_UP) times.ours.restart()
    await times.ours.time(() => index.search(collection, { ...request, ...(filter && { filter }) }))
  }
  for (const [at, request] of filter ? [] : requests.entries()) {
    if (at === WARM_UP) times.peer.restart()
    await times.peer.time(() => peer.search(collection, request))
  }
  return times
}

function coldSearch(collection: string): string {
  const program = `
    import { openSqliteIndex } from ${JSON.stringify(resolve(import.meta.dirname, '../src/search-index/sqlite.ts'))}
    const [path, collection] = process.argv.slice(1)
    const index = openSqliteIndex({ path })
    const vector = Float32Array.from({ length: ${DIMENSIONS} }, (_, at) => Math.sin(at))
    const start = performance.now()
    await index.search(collection, { text: ${JSON.stringify(random.text(6))}, vector, limit: 20 })
    console.log(performance.now() - start)
    await index.close()`
  const times = Array.from({ length: 9 }, () => {
    const args = ['--input-type=module-typescript', '--no-warnings', '-e', program, path, collection]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (stdout === '') throw new Error(stderr)
    return Number(stdout)
  })
  return median(times).toFixed(0)
}

function figures(title: string, rows: [string, Times][]): void {
  const columns = ['p50', 'least', 'p95', 'processor', 'peer p50', 'least', 'processor', 'peer : ours']
  console.log(title.padEnd(36) + columns.map((column) => column.padStart(12)).join(''))
  for (const [name, { ours, peer: theirs }] of rows) {
    const values = [
      median(ours.wall),
      Math.min(...ours.wall),
      percentile(ours.wall, 0.95),
      ours.cpu / SEARCHES,
    ]
    if (theirs.wall.length > 0) {
      const perSearch = theirs.cpu / SEARCHES
      values.push(
        median(theirs.wall),
        Math.min(...theirs.wall),
        perSearch,
        median(theirs.wall) / median(ours.wall),
      )
    }
    console.log(name.padEnd(36) + values.map((value) => value.toFixed(2).padStart(12)).join(''))
  }
}

function ratio(a: number, b: number): string {
  return (a / b).toFixed(2)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function timed(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function flushOnce(): void {
  const file = openSync(join(folder, 'flush'), 'a')
  writeSync(file, 'x'.repeat(4_096))
  fsyncSync(file)
  closeSync(file)
}

/** The usual way: vectors in sqlite-vec by partition, words in FTS5 with the collection as prefix of every token. */
function openPeer(file: string) {
  const db = new DatabaseSync(file, { allowExtension: true })
  db.loadExtension(getLoadablePath())
  db.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;
    CREATE TABLE documents (number INTEGER PRIMARY KEY, id TEXT UNIQUE, collection TEXT, payload TEXT);
    CREATE VIRTUAL TABLE vectors USING vec0(
      number INTEGER PRIMARY KEY, collection TEXT PARTITION KEY, vector FLOAT[${DIMENSIONS}] distance_metric=cosine);
    CREATE VIRTUAL TABLE words USING fts5(terms, content='', tokenize="unicode61 tokenchars ':'");
  `)
  const tokens = (collection: string, text: string) =>
    searchTerms(text).words.map((word) => `${collection.replaceAll(' ', '')}:${word}`)
  const insertDocument = db.prepare('INSERT INTO documents VALUES (?, ?, ?, ?)')
  const insertVector = db.prepare('INSERT INTO vectors VALUES (?, ?, ?)')
  const insertWords = db.prepare('INSERT INTO words (rowid, terms) VALUES (?, ?)')
  const nearest = db.prepare(
    'SELECT number, distance FROM vectors WHERE vector MATCH ? AND collection = ? AND k = ?',
  )
  const ranked = db.prepare('SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?')
  const payload = db.prepare('SELECT payload FROM documents WHERE number = ?')
  let number = 0n
  return {
    insert(collection: string, batch: readonly IndexDocument[]): void {
      db.exec('BEGIN IMMEDIATE')
      for (const { id, text, vector, payload: content } of batch) {
        number++
        insertDocument.run(number, id, collection, JSON.stringify(content))
        insertVector.run(number, collection, new Uint8Array(vector!.buffer))
        insertWords.run(number, tokens(collection, text).join(' '))
      }
      db.exec('COMMIT')
    },
    search(collection: string, { text, vector, limit }: SearchRequest): void {
      const found = new Set<number>()
      for (const row of nearest.all(new Uint8Array(vector!.buffer), collection, limit * 2)) {
        found.add(row['number'] as number)
      }
      const match = tokens(collection, text).map((token) => `"${token}"`)
      for (const row of ranked.all(match.join(' OR '), limit * 2)) found.add(row['rowid'] as number)
      for (const one of found) JSON.parse(payload.get(one)!['payload'] as string)
    },
    close: () => db.close(),
  }
}
