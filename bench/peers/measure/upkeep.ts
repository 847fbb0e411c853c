import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FeatureStore, linesOf } from '../adapters/ours.ts'
import type { DataSet } from '../data/data-set.ts'
import type { UpkeepFigures } from '../report/figures.ts'

/** Taking over exported records, and building the index again from the journal; vectors are handed in. */
export async function measureUpkeep(data: DataSet, scratch: string): Promise<UpkeepFigures> {
  const folder = join(scratch, 'upkeep')
  mkdirSync(folder, { recursive: true })
  const store = new FeatureStore(folder)
  try {
    const documents = (await data.batches(data.size).next()).value ?? []
    const lines = linesOf(documents)
    const importing = await seconds(() => store.importLines(lines))
    store.hand(documents)
    const rebuilding = await seconds(() => store.rebuild())
    return {
      documents: data.size,
      importPerSecond: data.size / importing,
      rebuildPerSecond: data.size / rebuilding,
    }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}
