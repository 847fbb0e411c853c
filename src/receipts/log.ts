import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf, messageOf } from '../errors.ts'
import { makeOwnFolder, writeOwnFile } from '../files/own-files.ts'
import type { Notices } from '../notices.ts'
import { snakeKeys } from '../text/case.ts'
import { redactValue } from '../text/redact-value.ts'
import { bounded, type NewReceipt, type NewReceiptEnding, type Receipt } from './receipt.ts'
import { segmentNames } from './segments.ts'

export interface ReceiptLogOptions {
  folder: string
  notices?: Pick<Notices, 'once' | 'recovered'>
  /** A file that reaches this size is followed by a new one. */
  segmentBytes?: number
  /** The oldest beyond this number are deleted: receipts explain recent work, they are no archive. */
  segments?: number
}

const SEGMENT_BYTES = 2_000_000
const SEGMENTS = 5
const ENDING = '.jsonl'

/**
 * Appends receipts. Never throws and never waits for the disk: a receipt that cannot be written must not cost the
 * answer it belongs to. Written in one call before the caller goes on, so a process killed right after loses nothing.
 */
export class ReceiptLog {
  readonly #options: ReceiptLogOptions

  /** @internal */
  constructor(options: ReceiptLogOptions) {
    this.#options = options
  }

  get folder(): string {
    return this.#options.folder
  }

  append(fields: NewReceipt): Receipt {
    const receipt = bounded({
      leftOut: [],
      ...fields,
      id: randomUUID(),
      timestamp: new Date().toISOString(),
    })
    this.#write({ version: 1, receipt: snakeKeys(receipt) })
    return receipt
  }

  /** Says how a run came out; every receipt of that run then shows it. */
  ended(fields: NewReceiptEnding): void {
    this.#write({
      version: 1,
      ending: snakeKeys({ used: [], ...fields, timestamp: new Date().toISOString() }),
    })
  }

  #write(entry: object): void {
    const { folder, notices } = this.#options
    try {
      makeOwnFolder(folder)
      // A leading line feed keeps this line whole when the last writer was killed in the middle of its own.
      const text = `\n${JSON.stringify(redactValue(entry))}\n`
      writeOwnFile(join(folder, this.#segment()), text, { access: 'append', mode: 0o600 })
      notices?.recovered('receipts')
    } catch (error) {
      const reason = errnoOf(error) ?? messageOf(error)
      const hint = `Check that ${folder} is writable; the work itself goes on.`
      notices?.once({ key: 'receipts', message: `receipts are not being kept (${reason})`, hint })
    }
  }

  /** The newest file with room, else a new one. Two writers may each start one: harmless. */
  #segment(): string {
    const { folder, segmentBytes = SEGMENT_BYTES, segments = SEGMENTS } = this.#options
    const names = segmentNames(readdirSync(folder))
    const newest = names.at(-1)
    if (newest !== undefined) {
      const size = statSync(join(folder, newest), { throwIfNoEntry: false })?.size ?? 0
      if (size < segmentBytes) return newest
    }
    for (const old of names.slice(0, Math.max(0, names.length - segments + 1))) {
      rmSync(join(folder, old), { force: true })
    }
    return newSegmentName(newest)
  }
}

/** Sorts after `newest` even when the clock was set back. */
function newSegmentName(newest: string | undefined): string {
  const stamp = Date.now()
  const last = newest === undefined ? 0 : Number.parseInt(newest, 10) || 0
  return `${String(Math.max(stamp, last + 1)).padStart(15, '0')}-${randomUUID().slice(0, 4)}${ENDING}`
}
