import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errnoOf, fileError } from '../errors.ts'
import { readOwnFile } from '../files/own-files.ts'
import { camelKeys } from '../text/case.ts'
import { countTokens } from '../text/tokens.ts'
import { segmentNames } from './log.ts'
import { type Receipt, type ReceiptEnding, type ReceiptReport, SURFACES, type Surface } from './receipt.ts'

const Item = z.object({
  kind: z.string(),
  source: z.string(),
  why: z.string(),
  score: z.number().optional(),
  tokens: z.number().optional(),
  text: z.string().optional(),
})
const ReceiptLine = z.object({
  id: z.string(),
  timestamp: z.string(),
  surface: z.enum(SURFACES),
  event: z.string(),
  run: z.string(),
  feature: z.string().optional(),
  taskId: z.number().optional(),
  tokens: z.number().optional(),
  text: z.string().optional(),
  items: z.array(Item),
  leftOut: z.array(z.string()),
})
const EndingLine = z.object({
  run: z.string(),
  timestamp: z.string(),
  outcome: z.string(),
  remark: z.string().optional(),
  iterationNumber: z.number().optional(),
  used: z.array(z.string()).default([]),
})
const Line = z.object({
  version: z.literal(1),
  receipt: ReceiptLine.optional(),
  ending: EndingLine.optional(),
})

export interface ReceiptQuery {
  limit?: number | undefined
  feature?: string | undefined
  run?: string | undefined
  surface?: Surface | undefined
}

export interface ReceiptPage {
  /** The newest first. */
  receipts: ReceiptReport[]
  /** Lines that could not be read, e.g. cut short by a crash. */
  damagedLines: number
}

const DEFAULT_LIMIT = 50

/** The newest receipts that fit the query, each with how its run ended as far as that is known. */
export async function readReceipts(folder: string, query: ReceiptQuery = {}): Promise<ReceiptPage> {
  const { limit = DEFAULT_LIMIT, feature, run, surface } = query
  const endings = new Map<string, ReceiptEnding>()
  const page: ReceiptPage = { receipts: [], damagedLines: 0 }
  for await (const line of newestLinesFirst(folder)) {
    const entry = parseLine(line)
    if (!entry) page.damagedLines++
    // An ending is written after its receipts, so going backwards meets it first.
    if (entry?.ending && !endings.has(entry.ending.run)) endings.set(entry.ending.run, entry.ending)
    const receipt = entry?.receipt
    if (!receipt) continue
    if (feature !== undefined && receipt.feature !== feature) continue
    if (run !== undefined && receipt.run !== run) continue
    if (surface !== undefined && receipt.surface !== surface) continue
    page.receipts.push(await report(receipt, endings.get(receipt.run)))
    if (page.receipts.length === limit) break
  }
  return page
}

async function* newestLinesFirst(folder: string): AsyncGenerator<string> {
  for (const name of segmentNames(await namesIn(folder)).reverse()) {
    yield* textOf(join(folder, name))
      .split('\n')
      .filter((line) => line !== '')
      .reverse()
  }
}

function textOf(path: string): string {
  try {
    return readOwnFile(path).toString('utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return '' // rotated away meanwhile
    throw fileError(error, path, 'reading receipts')
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError(error, folder, 'listing receipts')
  }
}

function parseLine(
  line: string,
): { receipt?: Receipt | undefined; ending?: ReceiptEnding | undefined } | undefined {
  try {
    return Line.parse(camelKeys(JSON.parse(line))) as { receipt?: Receipt; ending?: ReceiptEnding }
  } catch {
    return undefined // counted by the caller
  }
}

/** Fills in the token counts that the writer left for later. */
async function report(receipt: Receipt, ending: ReceiptEnding | undefined): Promise<ReceiptReport> {
  const items = []
  for (const item of receipt.items) {
    items.push({ ...item, tokens: item.tokens ?? (await countTokens(item.text ?? '')) })
  }
  const { text, ...shown } = receipt
  const tokens =
    receipt.tokens ??
    (text === undefined ? items.reduce((sum, item) => sum + item.tokens, 0) : await countTokens(text))
  return { ...shown, items, tokens, ...(ending && { ending }) }
}
