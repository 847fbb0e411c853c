import { parseEntry } from './lines.ts'
import type { PieceEnding, Receipt, ReceiptEnding } from './receipt.ts'
import { segmentsOf } from './segments.ts'

/** What became of the pieces of one kind. Each counts once in a run, however often it was told. */
export interface PieceCounts {
  pieces: number
  /** Of those, the ones whose run has ended: of the others nobody knows yet. */
  judged: number
  /** Of the judged, the ones that their run shows traces of. */
  used: number
  /** An error that it tells of: in how many runs one could tell, and in how many of these it was met again. */
  errors: { judged: number; cameBack: number }
  /** The command that it says failed. */
  commands: { judged: number; failedAgain: number }
  /** A file that it names, and how often that was read or changed. */
  files: { judged: number; touched: number }
}

export interface PieceKind {
  kind: string
  told: PieceCounts
  /** Of runs that were drawn to go without: what would have been told. */
  withheld: PieceCounts
}

export interface PieceQuery {
  feature?: string | undefined
  /** ISO 8601. */
  since?: string | undefined
}

/** What was told and what was withheld, by kind, the most frequent first, over all receipts that are kept. */
export function pieceKinds(folder: string, query: PieceQuery = {}): PieceKind[] {
  const { receipts, endings } = entriesIn(folder)
  const kinds = new Map<string, PieceKind>()
  const counted = new Set<string>()
  for (const { run, feature, timestamp, withheld = false, items } of receipts) {
    if (query.feature !== undefined && feature !== query.feature) continue
    if (query.since !== undefined && timestamp < query.since) continue
    for (const { kind, source } of items) {
      const name = JSON.stringify([run, kind, source, withheld])
      if (counted.has(name)) continue
      counted.add(name)
      const entry = kinds.get(kind) ?? { kind, told: noCounts(), withheld: noCounts() }
      kinds.set(kind, entry)
      const became = becameOf(endings.get(run), { kind, source, withheld })
      count(withheld ? entry.withheld : entry.told, became)
    }
  }
  const all = ({ told, withheld }: PieceKind) => told.pieces + withheld.pieces
  return [...kinds.values()].sort((a, b) => all(b) - all(a) || (a.kind < b.kind ? -1 : 1))
}

function entriesIn(folder: string): { receipts: Receipt[]; endings: Map<string, ReceiptEnding> } {
  const receipts: Receipt[] = []
  const endings = new Map<string, ReceiptEnding>()
  for (const segment of segmentsOf(folder)) {
    for (const line of segment.lines().reverse()) {
      const { receipt, ending } = parseEntry(line) ?? {}
      if (receipt) receipts.push(receipt)
      // The newest first: the last word on a run is met before its others.
      if (ending && !endings.has(ending.run)) endings.set(ending.run, ending)
    }
  }
  return { receipts, endings }
}

/** Older endings only name what was used of what was told. */
function becameOf(
  ending: ReceiptEnding | undefined,
  piece: { kind: string; source: string; withheld: boolean },
): PieceEnding | undefined {
  if (!ending) return undefined
  const { kind, source, withheld } = piece
  if (!ending.pieces) return withheld ? undefined : { kind, source, traced: ending.used.includes(source) }
  return ending.pieces.find(
    (one) => one.kind === kind && one.source === source && (one.withheld ?? false) === withheld,
  )
}

function noCounts(): PieceCounts {
  return {
    ...{ pieces: 0, judged: 0, used: 0 },
    errors: { judged: 0, cameBack: 0 },
    commands: { judged: 0, failedAgain: 0 },
    files: { judged: 0, touched: 0 },
  }
}

function count(counts: PieceCounts, became: PieceEnding | undefined): void {
  counts.pieces++
  if (!became) return
  const { traced, cameBack, failedAgain, touched } = became
  counts.judged++
  counts.used += Number(traced)
  counts.errors.judged += Number(cameBack !== undefined)
  counts.errors.cameBack += Number(cameBack === true)
  counts.commands.judged += Number(failedAgain !== undefined)
  counts.commands.failedAgain += Number(failedAgain === true)
  counts.files.judged += Number(touched !== undefined)
  counts.files.touched += Number(touched === true)
}
