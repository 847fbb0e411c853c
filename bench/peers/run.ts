/**
 * Ralph Memory beside what one would pick instead, in one run on the same data: `npm run bench -- peers --help`. Each store is filled and
 * searched in processes of its own; what takes too long is stopped and said so.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { measuredHere, writePages } from '../../scripts/measured/measured-page.ts'
import { peer as sqliteVec } from './adapters/sqlite-vec.ts'
import { NOT_RUN } from './all-peers.ts'
import type { DataSet } from './data/data-set.ts'
import { makeData } from './data/made-data.ts'
import { makeRealData, missingTexts } from './data/real-data.ts'
import { installedMegabytes, installPeers, ownInstalledMegabytes, versionsOf } from './install.ts'
import { measureAppend } from './measure/append.ts'
import { measureEmbedding } from './measure/embedding.ts'
import { Looks } from './measure/looks.ts'
import { measureStarts } from './measure/starts.ts'
import { measureBare, measureRecall, measureStore, type Within } from './measure/stores.ts'
import { measureUpkeep } from './measure/upkeep.ts'
import { BadOption, type Options, readOptions, USAGE } from './options.ts'
import type { Peer } from './peer.ts'
import type { PeerFigures, Performance, RecallFigures } from './report/figures.ts'
import { keepPerformance, PERFORMANCE_PAGES } from './report/pages.ts'
import { performanceText } from './report/performance-page.ts'

/** Vectors of other kinds than the usual are compared with exact search at this size. */
const RECALL_SIZE = 10_000

await main()

async function main(): Promise<void> {
  const stop = new AbortController()
  const scratch = mkdtempSync(join(tmpdir(), 'ralph-bench-peers-'))
  const remove = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  // At once, whatever is under way: nothing of it is needed any more.
  const stopNow = () => {
    stop.abort(new Error('stopped'))
    remove()
    console.error('stopped; nothing was kept')
    process.exit(130)
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stopNow)
  try {
    const options = readOptions(process.argv.slice(2))
    if (options === 'help') return console.log(USAGE)
    installPeers(options.peers)
    const figures = await measured(options, scratch, stop.signal)
    console.log(`\n${performanceText(figures)}`)
    if (options.write) {
      keepPerformance(figures)
      writePages(PERFORMANCE_PAGES)
      console.log('written: docs/performance.json, docs/performance.md, docs/pictures/growth.svg, README.md')
    }
  } catch (error) {
    // A program that Ctrl-C has ended fails before we hear of that ourselves.
    await nextTurn()
    if (!(error instanceof BadOption)) throw error
    console.error(error.message)
    process.exitCode = 1
  } finally {
    remove()
  }
}

async function measured(options: Options, scratch: string, signal: AbortSignal): Promise<Performance> {
  const begun = performance.now()
  // Before anything is measured: what is changed meanwhile is not what is measured.
  const here = measuredHere()
  const looks = new Looks()
  looks.first()
  const within = { folder: join(scratch, 'stores'), limitMs: options.limitMs, signal }
  const figures: PeerFigures[] = options.peers.map((peer) => ({
    name: peer.name,
    title: peer.title,
    versions: versionsOf(peer, here.version),
    searches: peer.searches,
    durable: peer.durable,
    how: peer.how,
    ...withInstalled(peer, scratch),
    sizes: [],
  }))
  const smallest = makeData(join(scratch, 'data'), options.sizes[0]!)
  say('append, start, import and rebuild, embedding')
  const append = await measureAppend(smallest, scratch)
  const starts = await measureStarts(smallest, options.peers, scratch)
  signal.throwIfAborted()
  const embedding = await measureEmbedding(scratch)
  const upkeep = []
  // sqlite-vec's adapter brings next to nothing of its own.
  const bareMb = await measureBare(sqliteVec, smallest, within)
  for (const size of options.sizes) {
    signal.throwIfAborted()
    looks.again()
    say(`${size.toLocaleString('en')} documents`)
    const data = makeData(join(scratch, `data-${size}`), size)
    upkeep.push(await measureUpkeep(data, scratch))
    for (const [at, peer] of options.peers.entries())
      figures[at]!.sizes.push(await ofSize(peer, data, figures[at]!, within))
    rmSync(data.folder, { recursive: true })
  }
  const recall = await recallOfOthers(options.peers, scratch, within)
  looks.again()
  const quiet = looks.summary()
  const minutes = (performance.now() - begun) / 60_000
  const parts = {
    quiet,
    sizes: options.sizes,
    peers: figures,
    notRun: [...NOT_RUN],
    recall,
    append,
    starts,
    upkeep,
    embedding,
  }
  return { ...here, minutes, processor: cpus()[0]?.model.trim() ?? 'unknown', bareMb, ...parts }
}

function withInstalled(peer: Peer, scratch: string): { installedMb?: number } {
  if (peer.name === 'our-index') return {}
  const installedMb = peer.folder === undefined ? ownInstalledMegabytes(scratch) : installedMegabytes(peer)
  return installedMb === undefined ? {} : { installedMb }
}

/** What did not end with fewer documents is not tried with more, nor what took so long that it cannot end. */
async function ofSize(peer: Peer, data: DataSet, { sizes }: PeerFigures, within: Within) {
  const before = sizes.at(-1)
  const fewer = before?.documents.toLocaleString('en')
  if (before?.stopped !== undefined)
    return { documents: data.size, stopped: `not tried: ${fewer} did not end` }
  const filling = before?.filled?.seconds ?? 0
  if (before && filling * (data.size / before.documents) * 1_000 > 2 * within.limitMs)
    return { documents: data.size, stopped: `not tried: ${fewer} took ${filling.toFixed(0)} s to fill` }
  const begun = performance.now()
  const figures = await measureStore(peer, data, within)
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
  const found = figures.searched ? `${figures.searched.medianMs.toFixed(1)} ms a search` : figures.stopped
  say(`  ${peer.title.padEnd(26)}${found}, ${seconds} s in all`)
  return figures
}

async function recallOfOthers(
  peers: readonly Peer[],
  scratch: string,
  within: Within,
): Promise<RecallFigures[]> {
  // Whoever has vectors: ours are in its index.
  const withVectors = peers.filter(
    ({ name, searches }) => searches === 'meaning and words' && name !== 'ours',
  )
  if (withVectors.length === 0) return []
  const sets: { set: string; make: () => DataSet | Promise<DataSet>; skipped?: string | undefined }[] = [
    { set: 'random', make: () => makeData(join(scratch, 'random'), RECALL_SIZE, 'random') },
    { set: 'MiniLM', make: () => makeRealData(join(scratch, 'real')), skipped: missingTexts() },
  ]
  const figures: RecallFigures[] = []
  for (const { set, make, skipped } of sets) {
    within.signal.throwIfAborted()
    say(`recall, ${set}${skipped === undefined ? '' : `: skipped, ${skipped}`}`)
    if (skipped !== undefined) {
      figures.push({ set, documents: 0, skipped, found: [] })
      continue
    }
    const data = await make()
    const found = []
    for (const peer of withVectors) found.push(await measureRecall(peer, data, within))
    figures.push({ set, documents: data.size, found })
    rmSync(data.folder, { recursive: true })
  }
  return figures
}

function say(text: string): void {
  console.log(text)
}
