/**
 * Conversation memory at 10,000 and 100,000 exchanges: import, what it takes on disk, and how long a retrieval takes,
 * the embedding of the query included. Goals: at least 2,000 exchanges/s imported, at most 3 × the text plus the
 * vectors on disk (4 × with the sketches of their tokens), at most 30 and 40 ms per retrieval.
 *
 * Documents get random vectors and tokens (embedding 100,000 texts would take half an hour and changes no time measured here);
 * queries are embedded by the real local model.
 */

import { once } from 'node:events'
import { createWriteStream, statSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Conversations } from '../src/conversation-memory/conversations.ts'
import type { Embedder, TokenVectors } from '../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../src/embedding/local.ts'
import { extractiveSummariser } from '../src/language-model/extractive.ts'
import { Notices } from '../src/notices.ts'
import { openSqliteIndex } from '../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../src/storage/sqlite.ts'
import { sessionPlaces } from '../src/transcripts/session-places.ts'
import { openTestLedger } from '../test/support/ledger.ts'

const QUERIES = 60
const EXCHANGES_PER_CONVERSATION = 12
/** As the index keeps vectors. */
const BYTES_A_DIMENSION = 2
/** What the local model keeps of a long text. */
const TOKENS_PER_EXCHANGE = 52
const sizes = process.argv[2] ? [Number(process.argv[2])] : [10_000, 100_000]

const random = generator(7)
const vocabulary = words(12_000)
const tokenSets: TokenVectors[] = []
const local = await openLocalEmbedder({ cacheDir: join(tmpdir(), 'ralph-bench-model') })
const embedder: Embedder = {
  id: 'bench',
  model: local.model,
  dimensions: local.dimensions,
  maxBatch: 256,
  calibration: local.calibration,
  usage: { requests: 0, texts: 0, tokens: 0, costUsd: 0 },
  embed: async (texts, kind, signal) =>
    kind === 'query' ? local.embed(texts, kind, signal) : texts.map(() => randomVector(local.dimensions)),
  ...(local.embedTokens && {
    embedTokens: async (texts, kind, signal) =>
      kind === 'query'
        ? local.embedTokens!(texts, kind, signal)
        : texts.map(() => ({ vector: randomVector(local.dimensions), tokens: randomTokens() })),
  }),
  check: () => local.check(),
  close: () => local.close(),
}

for (const size of sizes) await measure(size)
await local.close()

async function measure(size: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'conversations-bench-'))
  const file = join(folder, 'history.jsonl')
  const textBytes = await writeHistory(file, size)
  const storage = await openSqliteStorage({ path: join(folder, 'ralph.db') })
  const index = openSqliteIndex({ path: join(folder, 'index.db') })
  const conversations = new Conversations({
    person: { id: 'bench', name: 'bench' },
    storage,
    index,
    embedder: async () => embedder,
    summariser: extractiveSummariser(),
    spend: openTestLedger(storage),
    sessionPlaces: sessionPlaces({}, folder),
    searchDefaults: { limit: 20, minSimilarity: 0.4 },
    notices: new Notices(({ message }) => console.log(`note: ${message}`)),
  })
  const never = new AbortController().signal
  const importing = await seconds(() => conversations.importJsonl(file))
  const wordsOnly = await times(() => conversations.retrieve(query()))
  const summarising = await seconds(() => conversations.workers.runOnce(never, ['exchange', 'conversation']))
  const embedding = await seconds(() => conversations.workers.runOnce(never, ['embedding']))
  const retrieving = await times(() => conversations.retrieve(query()))
  const searching = await times(() => conversations.search(query(), { limit: 50 }))
  const embeddingQuery = await times(() => local.embed([query()], 'query'))
  await conversations.close()
  await index.close()
  await storage.close()
  const vectorBytes = (size + size / EXCHANGES_PER_CONVERSATION) * local.dimensions * BYTES_A_DIMENSION
  const onDisk = await folderBytes(folder, ['history.jsonl'])
  console.log(`\n${size.toLocaleString('en')} exchanges, ${megabytes(textBytes)} MB of text`)
  console.table({
    'import, exchanges/s': { measured: Math.round(size / importing), goal: '≥ 2000' },
    'summaries (extractive)/s': { measured: Math.round(size / summarising), goal: '' },
    'vectors stored/s': { measured: Math.round(size / embedding), goal: '' },
    'retrieval before anything is embedded, ms p50': { measured: round(median(wordsOnly)), goal: '' },
    'retrieval, ms p50': { measured: round(median(retrieving)), goal: size > 10_000 ? '≤ 40' : '≤ 30' },
    'retrieval, ms p95': { measured: round(percentile(retrieving, 0.95)), goal: '' },
    'of which embedding the query, ms p50': { measured: round(median(embeddingQuery)), goal: '' },
    'search, 50 results, ms p50': { measured: round(median(searching)), goal: '' },
    'on disk without vectors / text': { measured: round((onDisk - vectorBytes) / textBytes), goal: '≤ 4' },
    'on disk, MB': { measured: megabytes(onDisk), goal: '' },
    'memory of this process, MB': { measured: megabytes(process.memoryUsage().rss), goal: '' },
  })
  await rm(folder, { recursive: true })
}

async function writeHistory(path: string, size: number): Promise<number> {
  const file = createWriteStream(path)
  let bytes = 0
  for (let number = 0; number < size; number++) {
    const user = sentences(1 + Math.floor(random() * 3))
    const assistant = sentences(3 + Math.floor(random() * 8))
    bytes += user.length + assistant.length
    const line = JSON.stringify({
      conversation_id: `conversation-${Math.floor(number / EXCHANGES_PER_CONVERSATION)}`,
      user_message: user,
      assistant_message: assistant,
      started_at: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(),
    })
    if (!file.write(`${line}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
  return bytes
}

function query(): string {
  return `how did we ${[0, 1, 2, 3, 4].map(() => word()).join(' ')}`
}

function sentences(count: number): string {
  return Array.from({ length: count }, () => {
    const text = Array.from({ length: 6 + Math.floor(random() * 12) }, () => word()).join(' ')
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`
  }).join(' ')
}

/** Few words are frequent, most are rare, as in any language. */
function word(): string {
  return vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? vocabulary[0]!
}

function words(count: number): string[] {
  const syllables = [
    'ta',
    'ri',
    'mo',
    'ne',
    'lu',
    'ska',
    'ver',
    'con',
    'dim',
    'pro',
    'gel',
    'fa',
    'bri',
    'sto',
    'ku',
  ]
  const made = new Set<string>()
  while (made.size < count) {
    made.add(
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => syllables[Math.floor(random() * 15)]).join(
        '',
      ),
    )
  }
  return [...made]
}

function randomVector(dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** As many as a text of this length has; a few sets for all, which takes no less room and is made sooner. */
function randomTokens(): TokenVectors {
  if (tokenSets.length < 20) {
    const vectors = Array.from({ length: TOKENS_PER_EXCHANGE }, () => [...randomVector(local.dimensions)])
    const weights = new Float32Array(TOKENS_PER_EXCHANGE).fill(1)
    tokenSets.push({ weights, vectors: Float32Array.from(vectors.flat()) })
  }
  return tokenSets[Math.floor(random() * tokenSets.length)]!
}

/** The same numbers in every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

async function times(work: () => Promise<unknown>): Promise<number[]> {
  const measured: number[] = []
  for (let round = 0; round < QUERIES; round++) measured.push((await seconds(work)) * 1_000)
  return measured.slice(5).sort((a, b) => a - b)
}

function median(sorted: readonly number[]): number {
  return percentile(sorted, 0.5)
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

async function folderBytes(folder: string, without: readonly string[]): Promise<number> {
  const names = (await readdir(folder)).filter((name) => !without.includes(name))
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
