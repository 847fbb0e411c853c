import { join } from 'node:path'
import { MEASURED } from '../../../src/embedding/calibration.ts'
import type { Embedder } from '../../../src/embedding/embedder.ts'
import { FeatureMemory } from '../../../src/feature-memory/feature-memory.ts'
import { type NewIteration, parseRecord, toJournalLine } from '../../../src/feature-memory/record.ts'
import { Notices } from '../../../src/notices.ts'
import { openSqliteIndex } from '../../../src/search-index/sqlite.ts'
import { DIMENSIONS, type Document, type Peer, type Question, type Store } from '../peer.ts'

const FEATURE = 'bench'

/** The product's own path: journal, index, ranking, thresholds. Only the model is replaced, by the vectors that all are given. */
export const peer: Peer = {
  name: 'ours',
  title: 'Ralph Memory',
  searches: 'meaning and words',
  durable: 'flushed: the journal, before it returns',
  how: 'feature memory as the command and the library use it: journal, index, ranking, the threshold below which it stays silent',
  batch: 25_000,
  open: async (folder) => new FeatureStore(folder),
}

/** Also for what is measured of ours alone. */
export class FeatureStore implements Store {
  readonly #index
  readonly #memory: FeatureMemory
  /** By text: questions, and what was handed in since the index was last brought level. */
  readonly #vectors = new Map<string, Float32Array>()

  constructor(folder: string) {
    this.#index = openSqliteIndex({ path: join(folder, 'cache', 'index.db') })
    const notices = new Notices(({ message }) => {
      throw new Error(`degraded: ${message}`)
    })
    this.#memory = new FeatureMemory({
      project: folder,
      memoryDir: join(folder, 'memory'),
      cacheDir: join(folder, 'cache'),
      index: this.#index,
      notices,
      embedder: async () => this.#embedder,
    })
  }

  async insertMany(documents: readonly Document[]): Promise<void> {
    await this.importLines(linesOf(documents))
    this.hand(documents)
    await this.#memory.catchUp(FEATURE)
    this.#vectors.clear()
  }

  async importLines(lines: readonly string[]): Promise<void> {
    await this.#memory.import(eachOf(lines))
  }

  /** Of documents that were handed in. */
  async rebuild(): Promise<void> {
    await this.#memory.rebuild(FEATURE)
  }

  async record(document: Document): Promise<void> {
    await this.#memory.recordIteration(iterationOf(document))
  }

  async journalBytes(): Promise<number> {
    return (await this.#memory.statistics(FEATURE)).bytes
  }

  async insertOne(document: Document): Promise<void> {
    this.hand([document])
    await this.record(document)
    await this.#memory.catchUp(FEATURE)
    this.#vectors.clear()
  }

  async search({ text, vector }: Question, limit: number): Promise<number[]> {
    this.#vectors.set(text, vector)
    const found = await this.#memory.search(FEATURE, text, { limit })
    this.#vectors.delete(text)
    return found.map(({ record }) => record.taskId)
  }

  async close(): Promise<void> {
    await this.#index.close()
  }

  /** The title by itself and the whole: both mean the same here. */
  hand(documents: readonly Document[]): void {
    for (const { title, body, vector } of documents) {
      this.#vectors.set(title, vector)
      this.#vectors.set(`${title}\n${body}`, vector)
    }
  }

  get #embedder(): Embedder {
    return {
      id: 'handed-in',
      model: 'handed in',
      dimensions: DIMENSIONS,
      maxBatch: 1_000,
      calibration: MEASURED,
      usage: { requests: 0, texts: 0, tokens: 0, costUsd: 0 },
      embed: async (texts) =>
        texts.map((text) => {
          const vector = this.#vectors.get(text)
          if (!vector) throw new Error(`no vector was handed in for: ${text.slice(0, 60)}`)
          return vector
        }),
      check: async () => ({ ok: true, detail: 'handed in' }),
      close: async () => undefined,
    }
  }
}

function iterationOf({ at, title, body }: Document): NewIteration {
  return {
    taskId: at,
    taskTitle: title,
    feature: FEATURE,
    discipline: 'backend',
    timestamp: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
    outcome: at % 3 === 0 ? 'failure' : 'success',
    summary: body,
  }
}

/** As an export writes them. */
export function linesOf(documents: readonly Document[]): string[] {
  return documents.map((one) =>
    toJournalLine(parseRecord({ ...iterationOf(one), iterationNumber: one.at + 1 })),
  )
}

async function* eachOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
