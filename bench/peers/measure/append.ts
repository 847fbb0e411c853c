import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../../support/figures.ts'
import { FeatureStore } from '../adapters/ours.ts'
import type { DataSet } from '../data/data-set.ts'
import type { AppendFigures } from '../report/figures.ts'

const TIMES = 200
/** One after the other, several at a time: a flush may find done what the one before it had to do for another file. */
const A_TURN = 20
/** About a record's line: said exactly in the figures. */
const LINE = 600

/** A record in the journal, on the disk when the call returns, in turns with what the disk takes for as many bytes anyway. */
export async function measureAppend(data: DataSet, scratch: string): Promise<AppendFigures> {
  const folder = join(scratch, 'append')
  mkdirSync(folder, { recursive: true })
  const store = new FeatureStore(folder)
  const file = openSync(join(folder, 'plain'), 'a')
  const took = { record: [] as number[], flush: [] as number[] }
  try {
    const documents = (await data.batches(TIMES).next()).value ?? []
    for (let from = 0; from < documents.length; from += A_TURN) {
      const turn = documents.slice(from, from + A_TURN)
      for (const document of turn) took.record.push(await milliseconds(() => store.record(document)))
      for (const _ of turn) took.flush.push(await milliseconds(async () => appendTo(file)))
    }
    const bytes = Math.round((await store.journalBytes()) / documents.length)
    return { recordMs: median(took.record), flushMs: median(took.flush), bytes, times: documents.length }
  } finally {
    closeSync(file)
    await store.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function appendTo(file: number): void {
  writeSync(file, 'x'.repeat(LINE))
  fsyncSync(file)
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
