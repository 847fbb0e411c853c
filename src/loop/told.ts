import type { IterationRecord } from '../feature-memory/record.ts'
import { receiptsOfRun } from '../receipts/read.ts'
import type { ReceiptItem, ReceiptReport, Surface } from '../receipts/receipt.ts'
import { quotedLines } from '../text/quote.ts'
import { type RunFiles, runStart } from './run-file.ts'

/** One occasion on which memory spoke to a run. */
export interface Telling {
  /** Of the receipt; absent where only the prompt itself is left. */
  receipt?: string
  /** ISO 8601. */
  at: string
  surface: Surface
  /** The prompt, the tool or the hook. */
  event: string
  /** A draw kept it back: it was there to be told, and was not. */
  withheld?: boolean
  tokens?: number
  /** What of memory was told, in the order of the receipt. */
  items: ToldItem[]
  leftOut: string[]
  /** The whole text, cut where memory speaks; absent where it was not kept. */
  text?: TextPart[]
}

export interface ToldItem extends ReceiptItem {
  /** The run's own words or actions show traces of it; undefined while the run has not ended. */
  used?: boolean
  /** Whether it stands in `text`: long texts are kept shortened, and may not be found there. */
  marked: boolean
}

export interface TextPart {
  text: string
  /** Which of the items says this. */
  item?: number
}

interface Sources {
  /** The folder of the receipts. */
  receipts: string
  runs: RunFiles
}

/** In the order in which it was told. */
export async function toldTo(record: IterationRecord, { receipts, runs }: Sources): Promise<Telling[]> {
  const { timestamp, sessionId, startedAt = timestamp, endedAt } = record
  const start = `${runStart(timestamp)}-`
  const isOfRun = (run: string) => run === sessionId || run.startsWith(start)
  const since = startedAt < timestamp ? startedAt : timestamp
  const [kept, prompt] = await Promise.all([
    receiptsOfRun(receipts, isOfRun, since),
    runs.promptOf(timestamp),
  ])
  // A session that went on has records for each stretch: what came later was told to the next.
  const reports = kept.filter(
    ({ run, timestamp: at }) => run !== sessionId || endedAt === undefined || at <= endedAt,
  )
  const isPrompt = ({ surface, event, withheld }: ReceiptReport) =>
    surface === 'loop' && event === 'prompt' && !withheld
  const tellings = reports.map((report) => tellingOf(report, isPrompt(report) ? prompt : report.text))
  if (prompt === undefined || reports.some(isPrompt)) return tellings
  const left: Telling = { at: timestamp, surface: 'loop', event: 'prompt', items: [], leftOut: [] }
  return [{ ...left, text: [{ text: prompt }] }, ...tellings]
}

function tellingOf(report: ReceiptReport, text: string | undefined): Telling {
  const { id, timestamp, surface, event, tokens, items, leftOut, ending, withheld } = report
  const parts = text === undefined ? undefined : marked(text, items)
  const found = new Set(parts?.map(({ item }) => item))
  return {
    receipt: id,
    at: timestamp,
    surface,
    event,
    ...(withheld && { withheld }),
    tokens,
    items: items.map((item, at) => ({
      ...item,
      ...(ending && !withheld && { used: ending.used.includes(item.source) }),
      marked: found.has(at),
    })),
    leftOut,
    ...(parts && { text: parts }),
  }
}

/** A text cut where the items stand in it. */
export function marked(text: string, items: readonly ReceiptItem[]): TextPart[] {
  const places = items
    .flatMap((item, at) => {
      const place = placeOf(text, item)
      return place ? [{ ...place, at }] : []
    })
    .sort((a, b) => a.from - b.from)
  const parts: TextPart[] = []
  let end = 0
  for (const { from, to, at } of places) {
    // Two that overlap: the first is marked, and the other told beside the text.
    if (from < end) continue
    if (from > end) parts.push({ text: text.slice(end, from) })
    parts.push({ text: text.slice(from, to), item: at })
    end = to
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}

/** As it stands in the text, line by line as quotations do, or, of a file, where it is named. */
function placeOf(text: string, { kind, source, text: said = '' }: ReceiptItem) {
  const shapes = [said, quotedLines(said), kind === 'file' ? source : '']
  for (const shape of shapes.filter((one) => one.trim() !== '')) {
    const from = text.indexOf(shape)
    if (from >= 0) return { from, to: from + shape.length }
  }
  return undefined
}
