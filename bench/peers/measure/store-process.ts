/** One store in a process of its own: fills it, or searches it and inserts one by one. Tells its parent what that took. */
import { median, percentile } from '../../support/figures.ts'
import { peakMegabytes, processorTime } from '../../support/process-costs.ts'
import { DataSet, NEAREST } from '../data/data-set.ts'
import { recallOf } from '../data/nearest.ts'
import type { Peer, Store } from '../peer.ts'
import type { Filled, InsertedOne, Recalled, Searched } from '../report/figures.ts'

/** The first searches of a process are not what people wait for all day. */
const WARM_UP = 10
/** One that takes seconds need not be done a hundred times. */
const LONGEST_MS = 12_000
const LEAST_TIMES = 3

export type Task = 'nothing' | 'fill' | 'search' | 'recall'

const [task, name, data, folder] = process.argv.slice(2) as [Task, string, string, string]
// The others are not loaded: their code is not this one's memory.
const { peer } = (await import(`../adapters/${name}.ts`)) as { peer: Peer }
const dataSet = new DataSet(data)
// Nobody waits for it any more.
process.on('disconnect', () => process.exit(1))

const done = await { nothing, fill, search, recall }[task]()
// Some keep the process alive though they were closed.
process.send?.(done, () => process.exit())

/** What this program takes itself. */
async function nothing(): Promise<number> {
  return peakMegabytes()
}

async function fill(): Promise<Filled> {
  const store = await peer.open(folder)
  // Reading the data is not the store's work.
  let [wall, cpu] = [0, 0]
  const timed = async (work: () => Promise<void>) => {
    const [begun, before] = [performance.now(), processorTime(store.pid)]
    await work()
    wall += performance.now() - begun
    cpu += processorTime(store.pid) - before
  }
  for await (const batch of dataSet.batches(peer.batch)) await timed(() => store.insertMany(batch))
  await timed(async () => store.settle?.())
  const peakMb = peakMegabytes(store.pid)
  await store.close()
  return { seconds: wall / 1_000, cpuSeconds: cpu / 1_000, peakMb }
}

async function search(): Promise<Searched> {
  const questions = dataSet.questions()
  const begun = performance.now()
  const store = await peer.open(folder)
  const found: number[][] = []
  const first = questions[0]!
  await store.search(first, NEAREST)
  const openMs = performance.now() - begun
  await repeated(WARM_UP, LONGEST_MS / 4, (at) => store.search(questions[at]!, NEAREST))
  const asked = questions.slice(WARM_UP)
  const before = processorTime(store.pid)
  const took = await repeated(asked.length, LONGEST_MS, async (at) => {
    found.push(await store.search(asked[at]!, NEAREST))
  })
  const cpuMs = (processorTime(store.pid) - before) / took.length
  const peakMb = peakMegabytes(store.pid)
  const meant = found.filter((places, at) => places.includes(asked[at]!.meant ?? -1)).length / found.length
  const recallAt10 = store.nearest && (await recallBy(store))
  const one = await insertOneByOne(store)
  await store.close()
  return {
    openMs,
    medianMs: median(took),
    p95Ms: percentile(took, 0.95),
    cpuMs,
    times: took.length,
    peakMb,
    meant,
    ...(recallAt10 !== undefined && { recall: recallAt10.recall }),
    one,
  }
}

async function recall(): Promise<Recalled> {
  const store = await peer.open(folder)
  const result = await recallBy(store)
  await store.close()
  return result
}

async function recallBy(store: Store): Promise<Recalled> {
  const questions = dataSet.questions()
  const found: number[][] = []
  await repeated(questions.length, LONGEST_MS, async (at) => {
    found.push(await store.nearest!(questions[at]!.vector, NEAREST))
  })
  const exact = questions.slice(0, found.length).map(({ nearest }) => nearest)
  return { recall: recallOf(exact, found), times: found.length }
}

async function insertOneByOne(store: Store): Promise<InsertedOne> {
  const extra = await dataSet.extra()
  const took = await repeated(extra.length, LONGEST_MS / 2, (at) => store.insertOne(extra[at]!))
  return { medianMs: median(took), p95Ms: percentile(took, 0.95), times: took.length }
}

/** Milliseconds of each time: as often as wanted, or until it takes too long. */
async function repeated(
  times: number,
  longest: number,
  work: (at: number) => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = []
  const begun = performance.now()
  for (let at = 0; at < times; at++) {
    const start = performance.now()
    if (took.length >= LEAST_TIMES && start - begun > longest) break
    await work(at)
    took.push(performance.now() - start)
  }
  return took
}
