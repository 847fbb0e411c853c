import { asArray, asNumber, asObject, asString, objects, parseObject, strings } from '../text/json.ts'
import { segmentsOf } from './segments.ts'

/** What memory told in the last days, and what came of it. */
export interface RecentlyTold {
  days: number
  /** Prompts, tool answers and hooks that got something. */
  receipts: number
  /** Pieces of memory in them. */
  told: number
  tokens: number
  /** Of the pieces whose run has ended, and of those the ones that it shows traces of. */
  judged: number
  used: number
}

const DAY_MS = 86_400_000
/** Where nobody has counted: close enough for a sum over a week. */
const CHARACTERS_PER_TOKEN = 4

/** Changes whenever there may be something new. */
export function receiptsStamp(folder: string): string {
  return segmentsOf(folder)
    .map(({ name, stamp }) => `${name} ${stamp}`)
    .join()
}

/** Sums only, read as they stand: whoever wants to see receipts reads them with care. */
export function recentlyTold(folder: string, days = 7): RecentlyTold {
  const since = new Date(Date.now() - days * DAY_MS).toISOString()
  const sums: RecentlyTold = { days, receipts: 0, told: 0, tokens: 0, judged: 0, used: 0 }
  const endings = new Map<string, string[]>()
  for (const segment of segmentsOf(folder)) {
    let isOlder = false
    for (const line of segment.lines().reverse()) {
      const { receipt, ending } = parseObject(line) ?? {}
      const ended = asObject(ending)
      const run = asString(ended?.['run'])
      if (run !== undefined && !endings.has(run)) endings.set(run, strings(ended!['used']))
      const told = asObject(receipt)
      if (!told) continue
      isOlder = (asString(told['timestamp']) ?? '') < since
      if (isOlder) break
      // What was kept back was told to nobody.
      if (told['withheld'] !== true) add(sums, told, endings.get(asString(told['run']) ?? ''))
    }
    if (isOlder) break
  }
  return sums
}

function add(
  sums: RecentlyTold,
  receipt: Record<string, unknown>,
  used: readonly string[] | undefined,
): void {
  const items = objects(asArray(receipt['items']))
  sums.receipts++
  sums.told += items.length
  sums.tokens += tokensOf(receipt) ?? items.reduce((sum, item) => sum + (tokensOf(item) ?? 0), 0)
  if (!used) return
  sums.judged += items.length
  sums.used += items.filter((item) => used.includes(asString(item['source']) ?? '')).length
}

function tokensOf({ tokens, text }: Record<string, unknown>): number | undefined {
  const counted = asNumber(tokens)
  if (counted !== undefined) return counted
  return typeof text === 'string' ? Math.ceil(text.length / CHARACTERS_PER_TOKEN) : undefined
}
