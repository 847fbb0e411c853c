import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { errnoOf, fileError } from '../errors.ts'
import { readOwnFile } from '../files/own-files.ts'
import { camelKeys } from '../text/case.ts'
import { segmentNames } from './log.ts'
import { type Receipt, type ReceiptEnding, SURFACES } from './receipt.ts'

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

/** One line of the log: what was told, or how the run that was told it ended. */
export interface ReceiptEntry {
  receipt?: Receipt
  ending?: ReceiptEnding
}

/** Undefined when it cannot be read, e.g. cut short by a crash. */
export function parseEntry(line: string): ReceiptEntry | undefined {
  try {
    return Line.parse(camelKeys(JSON.parse(line))) as ReceiptEntry
  } catch {
    return undefined // counted by the caller
  }
}

/** One file of the log. */
export interface Segment {
  name: string
  /** Another one whenever the file may have changed. */
  stamp: string
  /** The oldest first. */
  lines(): string[]
}

/** The newest first. */
export function segmentsOf(folder: string): Segment[] {
  return segmentNames(namesIn(folder))
    .reverse()
    .flatMap((name) => {
      const path = join(folder, name)
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (!stats) return [] // rotated away meanwhile
      return [{ name, stamp: `${stats.ino} ${stats.size} ${stats.mtimeMs}`, lines: () => linesOf(path) }]
    })
}

function linesOf(path: string): string[] {
  try {
    return readOwnFile(path).toString('utf8').split('\n').filter(Boolean)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError(error, path, 'reading receipts')
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError(error, folder, 'listing receipts')
  }
}
