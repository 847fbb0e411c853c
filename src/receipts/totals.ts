import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseEntry } from './lines.ts'
import { isWanted, type ReceiptQuery } from './read.ts'
import type { Receipt, ReceiptEnding } from './receipt.ts'
import { type Segment, segmentsOf } from './segments.ts'

/** What memory told and what came of it, over all receipts that are kept. */
export interface ReceiptTotals {
  receipts: number
  /** Pieces of memory that were handed over. */
  told: number
  /** Of those, the ones that their run shows traces of. */
  used: number
  /** Of those that were told, the ones whose run has ended: of the others nobody knows yet whether they were used. */
  judged: number
  /** The most told first. */
  kinds: KindTotals[]
  /** The newest first, at most 200. */
  runs: RunTotals[]
  /** What can be filtered by. */
  features: string[]
}

export interface KindTotals {
  kind: string
  told: number
  used: number
  judged: number
  /** How the runs that were told it ended; a run counts once for each piece. */
  outcomes: Record<string, number>
}

export interface RunTotals {
  run: string
  timestamp: string
  feature?: string
  told: number
  used: number
  outcome?: string
  iterationNumber?: number
}

type Told = Pick<Receipt, 'run' | 'timestamp' | 'feature' | 'surface'> & {
  items: { kind: string; source: string }[]
}
interface Digest {
  stamp: string
  /** Both the newest first. */
  told: Told[]
  endings: ReceiptEnding[]
}

const MOST_RUNS = 200

/** Counts what is in the log. A file of it is read again only when it has changed. */
export class ReceiptCounts {
  readonly #folder: string
  #digests = new Map<string, Digest>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async read(query: ReceiptQuery = {}): Promise<ReceiptTotals> {
    const digests = await this.#current()
    const endings = new Map<string, ReceiptEnding>()
    for (const { endings: known } of digests) {
      for (const ending of known) if (!endings.has(ending.run)) endings.set(ending.run, ending)
    }
    const all = digests.flatMap(({ told }) => told)
    return {
      ...counted(
        all.filter((one) => isWanted(one, query)),
        endings,
      ),
      features: [...new Set(all.flatMap(({ feature }) => feature ?? []))].sort(),
    }
  }

  async #current(): Promise<Digest[]> {
    const digests = new Map<string, Digest>()
    for (const segment of segmentsOf(this.#folder)) {
      const known = this.#digests.get(segment.name)
      if (known?.stamp === segment.stamp) digests.set(segment.name, known)
      else {
        digests.set(segment.name, digestOf(segment))
        await nextTurn() // others are answered in between
      }
    }
    this.#digests = digests
    return [...digests.values()]
  }
}

function digestOf(segment: Segment): Digest {
  const digest: Digest = { stamp: segment.stamp, told: [], endings: [] }
  for (const line of segment.lines().reverse()) {
    const { receipt, ending } = parseEntry(line) ?? {}
    if (ending) digest.endings.push(ending)
    // What was kept back was told to nobody.
    if (!receipt || receipt.withheld) continue
    const { run, timestamp, feature, surface } = receipt
    const items = receipt.items.map(({ kind, source }) => ({ kind, source }))
    digest.told.push({ run, timestamp, surface, items, ...(feature !== undefined && { feature }) })
  }
  return digest
}

function counted(
  receipts: readonly Told[],
  endings: ReadonlyMap<string, ReceiptEnding>,
): Omit<ReceiptTotals, 'features'> {
  const kinds = new Map<string, KindTotals>()
  const runs = new Map<string, RunTotals>()
  for (const receipt of receipts) {
    const ending = endings.get(receipt.run)
    const run = runs.get(receipt.run) ?? newRun(receipt, ending)
    runs.set(receipt.run, run)
    for (const { kind, source } of receipt.items) {
      const totals = kinds.get(kind) ?? { kind, told: 0, used: 0, judged: 0, outcomes: {} }
      kinds.set(kind, totals)
      const used = ending?.used.includes(source) ? 1 : 0
      totals.told++
      totals.used += used
      run.told++
      run.used += used
      if (!ending) continue
      totals.judged++
      totals.outcomes[ending.outcome] = (totals.outcomes[ending.outcome] ?? 0) + 1
    }
  }
  const byKind = [...kinds.values()].sort((a, b) => b.told - a.told || (a.kind < b.kind ? -1 : 1))
  const sum = (count: (totals: KindTotals) => number) => byKind.reduce((total, one) => total + count(one), 0)
  return {
    receipts: receipts.length,
    told: sum(({ told }) => told),
    used: sum(({ used }) => used),
    judged: sum(({ judged }) => judged),
    kinds: byKind,
    runs: [...runs.values()].slice(0, MOST_RUNS),
  }
}

function newRun({ run, timestamp, feature }: Told, ending: ReceiptEnding | undefined): RunTotals {
  return {
    run,
    timestamp,
    ...(feature !== undefined && { feature }),
    told: 0,
    used: 0,
    ...(ending && { outcome: ending.outcome }),
    ...(ending?.iterationNumber !== undefined && { iterationNumber: ending.iterationNumber }),
  }
}
