/**
 * What a record costs, for planning: bytes in the journal, the index and the tables, and how fast they move to another
 * place. Records are as long as those of real runs; texts follow Zipf's law, vectors are random.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Embedder } from '../src/embedding/embedder.ts'
import { FeatureMemory } from '../src/feature-memory/feature-memory.ts'
import { copyStorage } from '../src/migrate/storage-copy.ts'
import { VectorLenders } from '../src/migrate/vector-lender.ts'
import { Notices } from '../src/notices.ts'
import type { VectorLender } from '../src/retrieval/parts.ts'
import type { SearchIndex } from '../src/search-index/search-index.ts'
import { openSqliteIndex } from '../src/search-index/sqlite.ts'
import { openPostgresStorage } from '../src/storage/postgres.ts'
import { openSqliteStorage } from '../src/storage/sqlite.ts'
import type { Storage } from '../src/storage/storage.ts'
import { temporaryDatabase } from '../test/stand-ins/postgres.ts'
import { RandomTexts } from './support/random-texts.ts'

const FEATURES = 4
const RECORDS = 1_000
const EXCHANGES = 5_000
const STEPS = 4

const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-growing-'))
const random = new RandomTexts(1)
const size = (...path: string[]) => statSync(join(folder, ...path)).size
const each = (bytes: number, count: number) => `${Math.round(bytes / count).toLocaleString('en')} bytes`
const seconds = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1_000
}

const indexes = new Map<number, SearchIndex>()
for (const dimensions of [384, 768, 1_536]) await records(dimensions)
await carry(384)
for (const index of indexes.values()) await index.close()
await rows()
rmSync(folder, { recursive: true })

function memoryOn(index: SearchIndex, embedder: Embedder, lender?: VectorLender): FeatureMemory {
  const place = { project: '/bench', memoryDir: join(folder, 'memory'), cacheDir: join(folder, 'cache') }
  const notices = new Notices((notice) => console.error(notice.message))
  return new FeatureMemory({ ...place, index, notices, lender, embedder: async () => embedder })
}

/** The same model as far as an index can tell, at no cost. */
function instant(dimensions: number): Embedder {
  const usage = { requests: 0, texts: 0, tokens: 0, costUsd: 0 }
  return {
    id: `random:${dimensions}`,
    model: 'random',
    dimensions,
    maxBatch: 1_000,
    calibration: [],
    usage,
    embed: async (texts) => {
      usage.texts += texts.length
      return texts.map(() => random.vector(dimensions))
    },
    check: async () => ({ ok: true, detail: 'random' }),
    close: async () => undefined,
  }
}

async function records(dimensions: number): Promise<void> {
  const name = `index-${dimensions}.db`
  const index = openSqliteIndex({ path: join(folder, name) })
  indexes.set(dimensions, index)
  const memory = memoryOn(index, instant(dimensions))
  const all = FEATURES * RECORDS
  if (indexes.size === 1) {
    const took = await seconds(write)
    const bytes = (await Promise.all((await memory.features()).map((one) => memory.statistics(one)))).reduce(
      (sum, one) => sum + one.bytes,
      0,
    )
    console.log(`journal: ${each(bytes, all)} a record, ${Math.round(all / took)} durable records/s`)
  }
  const took = await seconds(async () => {
    for (const feature of await memory.features()) await memory.catchUp(feature)
  })
  console.log(
    `index, ${dimensions} dimensions: ${each(size(name), all)} a record, ${Math.round(all / took)}/s`,
  )

  async function write(): Promise<void> {
    for (let at = 0; at < all; at++) await memory.recordIteration(record(at))
  }
}

function record(at: number) {
  return {
    taskId: at % 50,
    taskTitle: random.text(6),
    feature: `feature ${at % FEATURES}`,
    discipline: 'backend',
    timestamp: new Date(1.7e12 + at * 60_000).toISOString(),
    outcome: at % 3 === 0 ? ('failure' as const) : ('success' as const),
    summary: random.text(70),
    errors: [{ message: random.text(15), filePath: `src/module-${at % 40}.ts`, line: 1 + (at % 300) }],
    decisions: [{ description: random.text(12), rationale: random.text(10) }],
    filesTouched: [0, 1, 2, 3].map((file) => ({
      path: `src/part-${file}/module-${(at + file) % 40}.ts`,
      action: 'modified' as const,
    })),
  }
}

async function carry(dimensions: number): Promise<void> {
  const target = openSqliteIndex({ path: join(folder, 'moved.db') })
  const lenders = new VectorLenders(() => undefined)
  const embedder = instant(dimensions)
  const memory = memoryOn(target, embedder, lenders.of(indexes.get(dimensions)!))
  const took = await seconds(async () => {
    for (const feature of await memory.features()) await memory.catchUp(feature)
  })
  const { carried } = lenders
  const embedded = embedder.usage.texts
  console.log(
    `moving an index: ${Math.round(carried / took)} records/s, ${embedded} of ${carried + embedded} embedded again`,
  )
  await target.close()
}

async function rows(): Promise<void> {
  const source = await openSqliteStorage({ path: join(folder, 'ralph.db') })
  await fill(source)
  await sql`pragma wal_checkpoint(truncate)`.execute(source.db)
  const all = EXCHANGES * (1 + STEPS)
  console.log(`tables, SQLite: ${each(size('ralph.db'), EXCHANGES)} an exchange with ${STEPS} tool results`)
  const { url, remove } = await temporaryDatabase()
  const target = await openPostgresStorage({ url })
  const bytes = async () => {
    const { rows } = await sql<{
      bytes: number
    }>`select pg_database_size(current_database()) as bytes`.execute(target.db)
    return Number(rows[0]!.bytes)
  }
  const empty = await bytes()
  const took = await seconds(() => copyStorage(sideOf(source), sideOf(target), { sourceName: 'bench' }))
  console.log(`tables, PostgreSQL: ${each((await bytes()) - empty, EXCHANGES)} an exchange`)
  console.log(`moving tables: ${Math.round(all / took)} rows/s, compared`)
  await source.close()
  await target.close()
  await remove()
}

async function fill({ db, transaction }: Storage): Promise<void> {
  const at = 1.7e12
  await db
    .insertInto('conversations')
    .values({
      id: 'c',
      person: 'bench',
      shared: 0,
      title: null,
      source: 'api',
      project: null,
      parent_id: null,
      started_at: at,
      updated_at: at,
      exchange_count: EXCHANGES,
      summary: null,
      summary_model: null,
      summary_due: 0,
      summarised_exchanges: 0,
      in_use_until: 0,
      revision: 1,
    })
    .execute()
  for (let start = 0; start < EXCHANGES; start += 100) {
    const numbers = Array.from({ length: 100 }, (_, step) => start + step)
    await transaction(async (transaction) => {
      await transaction
        .insertInto('exchanges')
        .values(
          numbers.map((number) => ({
            id: random.uuid().slice(0, 13) + number,
            conversation_id: 'c',
            position: number,
            user_message: random.text(40),
            assistant_message: random.text(120),
            status: 'completed' as const,
            started_at: at,
            completed_at: at,
            summarised: 1 as const,
            summary_due: 0 as const,
            revision: number,
          })),
        )
        .returning('id')
        .execute()
        .then(async (exchanges) => {
          await transaction
            .insertInto('exchange_summaries')
            .values(
              exchanges.map(({ id }) => ({ exchange_id: id, summary: random.text(30), model: 'extractive' })),
            )
            .execute()
          await transaction
            .insertInto('exchange_messages')
            .values(
              exchanges.flatMap(({ id }) =>
                Array.from({ length: STEPS }, (_, position) => ({
                  exchange_id: id,
                  position,
                  role: 'tool',
                  content: random.text(80),
                  tool_name: 'Bash',
                })),
              ),
            )
            .execute()
        })
    })
  }
}

function sideOf(storage: Storage) {
  return { storage, person: 'bench' }
}
