import { camelKeys } from '../text/case.ts'
import { z } from '../text/schema.ts'
import { type Receipt, type ReceiptEnding, SURFACES } from './receipt.ts'

const Subject = z.object({
  errors: z.optional(z.array(z.string())),
  open: z.optional(z.boolean()),
  checks: z.optional(z.array(z.string())),
  command: z.optional(z.string()),
  files: z.optional(z.array(z.string())),
})
const Item = z.object({
  kind: z.string(),
  source: z.string(),
  why: z.string(),
  score: z.optional(z.number()),
  tokens: z.optional(z.number()),
  text: z.optional(z.string()),
  about: z.optional(Subject),
})
const Piece = z.object({
  kind: z.string(),
  source: z.string(),
  withheld: z.optional(z.boolean()),
  traced: z.boolean(),
  cameBack: z.optional(z.boolean()),
  failedAgain: z.optional(z.boolean()),
  touched: z.optional(z.boolean()),
})
const ReceiptLine = z.object({
  id: z.string(),
  timestamp: z.string(),
  surface: z.enum(SURFACES),
  event: z.string(),
  run: z.string(),
  feature: z.optional(z.string()),
  taskId: z.optional(z.number()),
  withheld: z.optional(z.boolean()),
  tokens: z.optional(z.number()),
  text: z.optional(z.string()),
  items: z.array(Item),
  leftOut: z.array(z.string()),
})
const EndingLine = z.object({
  run: z.string(),
  timestamp: z.string(),
  outcome: z.string(),
  remark: z.optional(z.string()),
  iterationNumber: z.optional(z.number()),
  used: z._default(z.array(z.string()), []),
  pieces: z.optional(z.array(Piece)),
})
const Line = z.object({
  version: z.literal(1),
  receipt: z.optional(ReceiptLine),
  ending: z.optional(EndingLine),
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
