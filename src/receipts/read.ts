import { RalphError } from '../errors.ts'
import { matchingId, SHORTEST_ID } from '../text/short-id.ts'
import { countTokens } from '../text/tokens.ts'
import { parseEntry } from './lines.ts'
import type { Receipt, ReceiptEnding, ReceiptReport, Surface } from './receipt.ts'
import { segmentsOf } from './segments.ts'

export { receiptsFolder } from './folder.ts'

export interface ReceiptQuery {
  feature?: string | undefined
  run?: string | undefined
  surface?: Surface | undefined
}

export interface ReceiptPageRequest extends ReceiptQuery {
  limit?: number | undefined
  /** `next` of the page before. */
  after?: string | undefined
}

export interface ReceiptPage {
  /** The newest first. */
  receipts: ReceiptReport[]
  /** Hand it in as `after` to go on; absent at the end. */
  next?: string
  /** Lines that could not be read, e.g. cut short by a crash. */
  damagedLines: number
}

const DEFAULT_LIMIT = 50

/** The newest receipts that fit the query, each with how its run ended as far as that is known. */
export async function readReceipts(folder: string, request: ReceiptPageRequest = {}): Promise<ReceiptPage> {
  const { limit = DEFAULT_LIMIT, after } = request
  const receipts: ReceiptReport[] = []
  const damage = { lines: 0 }
  let hasBegun = after === undefined
  for (const { receipt, ending } of newestFirst(folder, damage)) {
    if (hasBegun && isWanted(receipt, request)) {
      if (receipts.length === limit)
        return { receipts, next: receipts.at(-1)!.id, damagedLines: damage.lines }
      const { text: _, ...shown } = await report(receipt, ending)
      receipts.push(shown)
    }
    hasBegun ||= receipt.id === after
  }
  if (hasBegun) return { receipts, damagedLines: damage.lines }
  throw new RalphError('not_found', 'the receipt that the page before ended with has been deleted', {
    hint: 'Begin with the newest again.',
  })
}

/** Those whose id is this one or begins so, the newest first; of too many, some. */
export function receiptsLike(folder: string, id: string): Receipt[] {
  if (id.length < SHORTEST_ID) return []
  const found: Receipt[] = []
  for (const { receipt } of newestFirst(folder)) {
    if (matchingId([receipt], id, (one) => one.id).length > 0) found.push(receipt)
    if (receipt.id === id || found.length === MOST_ALIKE) break
  }
  return matchingId(found, id, (one) => one.id)
}
const MOST_ALIKE = 10

/** One receipt in full: with everything that was put before the model, where that was kept. */
export async function readReceipt(folder: string, id: string): Promise<ReceiptReport> {
  for (const { receipt, ending } of newestFirst(folder)) {
    if (receipt.id === id) return report(receipt, ending)
  }
  throw new RalphError('not_found', `there is no receipt ${JSON.stringify(id)}`, {
    hint: 'Old receipts are deleted when new ones need the room: ralph receipts shows what there is.',
  })
}

const MOST_OF_A_RUN = 200

/** What was shown to one run, in that order; nothing of it is older than `since`, so nothing older is looked at. */
export async function receiptsOfRun(
  folder: string,
  isOfRun: (run: string) => boolean,
  since: string,
): Promise<ReceiptReport[]> {
  const found: ReceiptReport[] = []
  for (const { receipt, ending } of newestFirst(folder)) {
    if (receipt.timestamp < since) break
    if (isOfRun(receipt.run)) found.unshift(await report(receipt, ending))
    if (found.length === MOST_OF_A_RUN) break
  }
  return found
}

export function isWanted(
  receipt: Pick<Receipt, 'feature' | 'run' | 'surface'>,
  { feature, run, surface }: ReceiptQuery,
): boolean {
  return (
    (feature === undefined || receipt.feature === feature) &&
    (run === undefined || receipt.run === run) &&
    (surface === undefined || receipt.surface === surface)
  )
}

function* newestFirst(
  folder: string,
  damage = { lines: 0 },
): Generator<{ receipt: Receipt; ending: ReceiptEnding | undefined }> {
  const endings = new Map<string, ReceiptEnding>()
  for (const segment of segmentsOf(folder)) {
    for (const line of segment.lines().reverse()) {
      const entry = parseEntry(line)
      if (!entry) damage.lines++
      // An ending is written after its receipts, so going backwards meets it first.
      const { receipt, ending } = entry ?? {}
      if (ending && !endings.has(ending.run)) endings.set(ending.run, ending)
      if (receipt) yield { receipt, ending: endings.get(receipt.run) }
    }
  }
}

/** Fills in the token counts that the writer left for later. */
async function report(receipt: Receipt, ending: ReceiptEnding | undefined): Promise<ReceiptReport> {
  const items = []
  for (const item of receipt.items) {
    items.push({ ...item, tokens: item.tokens ?? (await countTokens(item.text ?? '')) })
  }
  const { text } = receipt
  const tokens =
    receipt.tokens ??
    (text === undefined ? items.reduce((sum, item) => sum + item.tokens, 0) : await countTokens(text))
  return { ...receipt, items, tokens, ...(ending && { ending }) }
}
