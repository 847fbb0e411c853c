import { closeSync, fstatSync, readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RalphError } from '../errors.ts'
import { chunksOf, fingerprintBefore } from '../files/lines.ts'
import { cutOwnFile, makeOwnFolder, openOwnFile, openOwnFileNow } from '../files/own-files.ts'
import { type JournalPosition, LINE_FEED, LONGEST_LINE, trailingFragment } from './journal-lines.ts'
import { fromJournalLine, type IterationRecord, toJournalLine } from './record.ts'

/** Where a journal ends, and what stands just before. */
export type JournalEnd = Pick<JournalPosition, 'offset' | 'fingerprint'>

/** A line cut short by a crash was never acknowledged: it is set aside in `<journal>.torn`. Returns where the next one begins. */
export async function startFreshLine(path: string, tornPath: string): Promise<JournalEnd> {
  makeOwnFolder(dirname(path))
  const end = wholeEnd(path)
  if (end) return end
  await finishLastLine(path, tornPath)
  return startFreshLine(path, tornPath)
}

/** Undefined where the last line has no end. */
function wholeEnd(path: string): JournalEnd | undefined {
  const file = openOwnFileNow(path, 'append')
  try {
    const { size: offset } = fstatSync(file)
    const last = Buffer.alloc(1)
    if (offset > 0) readSync(file, last, 0, 1, offset - 1)
    const isWhole = offset === 0 || last[0] === LINE_FEED
    return isWhole ? { offset, fingerprint: fingerprintBefore(file, offset) } : undefined
  } finally {
    closeSync(file)
  }
}

async function finishLastLine(path: string, tornPath: string): Promise<void> {
  const file = await openOwnFile(path, 'append')
  try {
    const { size } = await file.stat()
    const unfinished = await trailingFragment(file, size)
    if (recordIn(unfinished.text)) {
      await file.appendFile('\n') // an editor left out the last line feed
    } else {
      await appendDurably(tornPath, `${unfinished.text}\n`)
      await cutOwnFile(path, unfinished.start)
    }
  } finally {
    await file.close()
  }
}

/** Returns where the file ends now, once the text is on the disk. */
export async function appendDurably(path: string, text: string): Promise<number> {
  const file = await openOwnFile(path, 'append')
  try {
    const { size } = await file.stat()
    try {
      await file.appendFile(text)
      await file.datasync()
    } catch (error) {
      // Half a line must not stay behind (a full disk takes what fits); nobody was told that it is there.
      await cutOwnFile(path, size)
      throw error
    }
    return size + Buffer.byteLength(text)
  } finally {
    await file.close()
  }
}

/** The line of a record, once it is certain that it can be read back: nothing else is ever acknowledged. */
export function readableLine(record: IterationRecord): string {
  const line = toJournalLine(record)
  if (Buffer.byteLength(line) > LONGEST_LINE) {
    throw new RalphError('invalid_input', `the record is longer than ${LONGEST_LINE} bytes`, {
      hint: 'Record fewer files, errors or decisions with it.',
    })
  }
  fromJournalLine(line)
  return `${line}\n`
}

/** What stands outside of the dropped stretches, in portions. */
export async function* remainder(
  file: FileHandle,
  dropped: readonly { from: number; to: number }[],
): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const gap of dropped) {
    yield* chunksOf(file, from, gap.from)
    from = gap.to
  }
  yield* chunksOf(file, from)
}

/** Undefined for a line that is damaged: it is somebody else's to mend. */
export function recordIn(line: string): IterationRecord | undefined {
  try {
    return fromJournalLine(line.replace(/^\uFEFF/, '').trim())
  } catch {
    return undefined
  }
}
