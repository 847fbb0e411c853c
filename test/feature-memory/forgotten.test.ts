import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { toJournalLine } from '../../src/feature-memory/record.ts'
import { Notices } from '../../src/notices.ts'
import { openQdrantIndex } from '../../src/search-index/qdrant.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { iteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const INDEXES: Record<string, () => Promise<SearchIndex>> = {
  SQLite: async () => openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') }),
  Qdrant: async () => {
    const server = await startQdrant()
    onTestFinished(() => server.close())
    return openQdrantIndex({ url: server.url })
  },
}

/** Two features that have something in common, in an index of this kind. */
class Remembered {
  readonly embedder = new FakeEmbedder()
  readonly memory: FeatureMemory
  #written = 0

  constructor(index: SearchIndex, folder: string) {
    this.memory = new FeatureMemory({
      project: folder,
      memoryDir: join(folder, 'memory'),
      cacheDir: folder,
      index,
      embedder: async () => this.embedder,
      notices: new Notices(() => undefined),
    })
  }

  /** All in one go: each append waits for the disk. */
  async record(feature: string, count: number): Promise<void> {
    const lines = Array.from({ length: count }, () => {
      const iterationNumber = ++this.#written
      // Different enough to be told apart, in letters: numbers do not count.
      const name = String.fromCharCode(96 + iterationNumber)
      const summary = ['cookie', ...['door', 'lamp', 'tree', 'shoe'].map((word) => word + name)].join(' ')
      return toJournalLine(iteration({ feature, iterationNumber, summary }))
    })
    await this.memory.import(each(lines))
  }

  /** What a search finds has to be what the journal holds: after whatever was done, in whatever order. */
  async expectLevel(): Promise<void> {
    for (const feature of ['auth', 'shop']) {
      const found = await this.memory.search(feature, 'cookie', { limit: 100, minScore: 0 })
      const summaries = found.map(({ record }) => record.summary).sort()
      const kept = await Array.fromAsync(this.memory.journal(feature).records(), ({ summary }) => summary)
      expect(summaries, feature).toEqual(kept.sort())
    }
  }
}

const STEPS: Record<string, (remembered: Remembered) => Promise<unknown>> = {
  'the embedder fails': async ({ embedder }) => {
    embedder.down = true
  },
  forget: ({ memory }) => memory.forget('auth', { iterations: [1, 3] }),
  'remove the feature': ({ memory }) => memory.forget('shop'),
  rebuild: async ({ memory }) => {
    for (const feature of ['auth', 'shop']) await memory.rebuild(feature)
  },
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

function orders<One>(all: readonly One[]): One[][] {
  if (all.length === 0) return [[]]
  return all.flatMap((first) =>
    orders(all.filter((one) => one !== first)).map((others) => [first, ...others]),
  )
}

describe.each(Object.entries(INDEXES))('forgotten is forgotten in %s', (_, open) => {
  it.each(orders(Object.keys(STEPS)).map((order, at) => [order.join(', '), at]))('%s', async (order, at) => {
    const index = await open()
    onTestFinished(() => index.close())
    const remembered = new Remembered(index, await temporaryFolder())
    await remembered.record('auth', 3)
    await remembered.record('shop', 1)
    // Asked after each step, or only in the end: what is read as a whole may have been read in part before.
    const isAskedOften = at % 2 === 0
    if (isAskedOften) await remembered.expectLevel()
    for (const name of String(order).split(', ')) {
      await STEPS[name]!(remembered)
      if (isAskedOften) await remembered.expectLevel()
    }
    await remembered.record('shop', 1)
    await remembered.expectLevel()
    remembered.embedder.down = false
    await remembered.memory.forget('auth', { iterations: [2] })
    await remembered.expectLevel()
  })
})
