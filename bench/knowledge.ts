/**
 * Project knowledge at 100,000 entries: a query without the embedding of the question, a checkpoint of 1,000 staged
 * entries against embedding them alone, and pruning everything. Texts follow Zipf's law, vectors are random.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embedder } from '../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../src/embedding/local.ts'
import { Notices } from '../src/notices.ts'
import { filedColumns } from '../src/project-knowledge/capture.ts'
import {
  COLLECTION,
  ENTRY_FILTERS,
  entriesSource,
  entryDraft,
} from '../src/project-knowledge/entries-source.ts'
import { parseKnowledge } from '../src/project-knowledge/entry.ts'
import { entryEmbeddingText } from '../src/project-knowledge/entry-text.ts'
import { ProjectKnowledge } from '../src/project-knowledge/project-knowledge.ts'
import { catchUp } from '../src/retrieval/catch-up.ts'
import { Collection } from '../src/retrieval/collection.ts'
import { openSqliteIndex } from '../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../src/storage/sqlite.ts'
import type { EntryRow } from '../src/storage/tables.ts'
import { median, percentile } from './support/figures.ts'
import { RandomTexts } from './support/random-texts.ts'

const ENTRIES = 100_000
const STAGED = 1_000
const QUERIES = 100
const DAY = 86_400_000

const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-knowledge-'))
const random = new RandomTexts(1)
const local = await openLocalEmbedder({ cacheDir: join(folder, 'models'), onNotice: console.error })
/** The same model as far as the index can tell, at no cost: what is measured is everything else. */
const instant: Embedder = {
  ...{ id: local.id, model: local.model, dimensions: local.dimensions, maxBatch: 1_000, usage: local.usage },
  calibration: local.calibration,
  embed: async (texts) => texts.map(() => random.vector(local.dimensions)),
  check: () => local.check(),
  close: async () => undefined,
}

const empty = await open('empty')
await checkpointAgainstEmbedding('into an empty store', empty)
await empty.close()

const full = await open('full')
await fill(full, ENTRIES)
await queries(full)
await checkpointAgainstEmbedding(`into ${ENTRIES.toLocaleString('en')} entries`, full)
await pruneAll(full)
await full.close()
await local.close()
rmSync(folder, { recursive: true })

async function open(name: string) {
  const storage = await openSqliteStorage({ path: join(folder, name, 'ralph.db') })
  const index = openSqliteIndex({ path: join(folder, name, 'index.db') })
  const clock = { now: Date.now() }
  const withEmbedder = (embedder: Embedder) =>
    new ProjectKnowledge({
      storage,
      index,
      embedder: async () => embedder,
      notices: new Notices((notice) => console.error(notice.message)),
      clock: () => clock.now,
    })
  const close = async () => {
    await index.close()
    await storage.close()
  }
  return { storage, index, clock, withEmbedder, close }
}
type Opened = Awaited<ReturnType<typeof open>>

function newEntry(at: number) {
  return {
    kind: 'failure_solution' as const,
    project: `project ${at % 40}`,
    agentType: ['frontend', 'backend', ''][at % 3]!,
    technology: ['react', 'django', 'rust', 'go', ''][at % 5]!,
    failureDescription: random.text(12),
    errorMessage: random.text(15),
    solutionSteps: random.text(30),
  }
}

/** Straight into the tables and the index, as years of checkpoints would have left them. */
async function fill({ storage, index, clock }: Opened, count: number): Promise<void> {
  const notices = new Notices((notice) => console.error(notice.message))
  const parts = { index, embedder: async () => instant, notices }
  const collection = new Collection(parts, { name: COLLECTION, filterable: ENTRY_FILTERS })
  await catchUp(collection, [entriesSource(storage)], { embedder: instant })
  const start = performance.now()
  for (let at = 0; at < count; at += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, offset): EntryRow => {
      const { verified: _verified, ...columns } = filedColumns(parseKnowledge(newEntry(at + offset)))
      const times = { captured_at: clock.now, embedded_at: clock.now }
      const filed = { ...columns, project_id: columns.project }
      return { ...filed, ...times, id: random.uuid(), success_count: 1, helped: 0, misled: 0, outdated: 0 }
    })
    const embedded = rows.map(() => ({ vector: random.vector(local.dimensions) }))
    await collection.write({ put: rows.map(entryDraft), embedded }, instant)
    await storage.db.insertInto('knowledge_entries').values(rows).execute()
  }
  console.log(`${count.toLocaleString('en')} entries stored in ${seconds(performance.now() - start)}\n`)
}

async function queries({ withEmbedder }: Opened): Promise<void> {
  const knowledge = withEmbedder(instant)
  const description = () => random.text(12)
  const kinds = {
    'for a task': () => knowledge.queryForTask({ description: description() }, { minScore: 0 }),
    'for a task, filtered': () =>
      knowledge.queryForTask(
        { description: description(), technology: 'rust', agentType: 'backend' },
        { minScore: 0 },
      ),
    'for a failure': () =>
      knowledge.queryForFailure({ description: description(), error: random.text(15) }, { minScore: 0 }),
  }
  for (const [name, query] of Object.entries(kinds)) {
    await query()
    const times: number[] = []
    const processor = process.cpuUsage()
    for (let at = 0; at < QUERIES; at++) times.push(await timed(query))
    const { user, system } = process.cpuUsage(processor)
    console.log(
      `query ${name.padEnd(22)} p50 ${median(times).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms` +
        ` (processor ${((user + system) / 1_000 / QUERIES).toFixed(1)} ms)`,
    )
  }
}

async function checkpointAgainstEmbedding(where: string, { withEmbedder }: Opened): Promise<void> {
  const knowledge = withEmbedder(local)
  const entries = Array.from({ length: STAGED }, (_, at) => newEntry(at))
  const lines = entries.map((entry) =>
    JSON.stringify({ ...entry, failure_description: entry.failureDescription }),
  )
  const importing = await timed(() => knowledge.importJsonl(lines))
  const texts = entries.map((entry) => entryEmbeddingText(parseKnowledge(entry)))
  await local.embed(texts.slice(0, 1), 'document')
  // Half before and half after, so that a change of the machine's mood falls on both.
  const half = texts.length / 2
  const before = await timed(() => embedAll(texts.slice(0, half)))
  const checkpoint = await timed(() => knowledge.checkpoint('manual'))
  const after = await timed(() => embedAll(texts.slice(half)))
  console.log(
    `\ncheckpoint of ${STAGED.toLocaleString('en')} ${where}: ${seconds(checkpoint)}, embedding alone ` +
      `${seconds(before + after)}: ${(checkpoint / (before + after)).toFixed(2)} × (staging them: ${seconds(importing)})`,
  )
}

async function embedAll(texts: readonly string[]): Promise<void> {
  for (let at = 0; at < texts.length; at += local.maxBatch) {
    await local.embed(texts.slice(at, at + local.maxBatch), 'document')
  }
}

async function pruneAll({ clock, withEmbedder }: Opened): Promise<void> {
  clock.now += 400 * DAY
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let pruned = 0
  const time = await timed(async () => {
    pruned = await withEmbedder(instant).prune()
  })
  const grown = (process.memoryUsage().rss - before) / 2 ** 20
  console.log(
    `\npruning ${pruned.toLocaleString('en')} entries: ${seconds(time)}, memory grew by ${grown.toFixed(0)} MB`,
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
