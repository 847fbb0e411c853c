import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RalphError } from '../errors.ts'
import { chunksOf } from '../files/lines.ts'
import { cutOwnFile, makeOwnFolder, openOwnFile } from '../files/own-files.ts'
import { LONGEST_LINE, trailingFragment } from './journal-lines.ts'
import { fromJournalLine, type IterationRecord, toJournalLine } from './record.ts'

/** A line cut short by a crash was never acknowledged: it is set aside in `<journal>.torn`. Returns whether the file is new. */
export async function startFreshLine(path: string, tornPath: string): Promise<boolean> {
  makeOwnFolder(dirname(path))
  const file = await openOwnFile(path, 'append')
  try {
    const { size } = await file.stat()
    const unfinished = size === 0 ? undefined : await trailingFragment(file, size)
    if (unfinished && recordIn(unfinished.text)) {
      await file.appendFile('\n') // an editor left out the last line feed
    } else if (unfinished) {
      await appendDurably(tornPath, `${unfinished.text}\n`)
      await cutOwnFile(path, unfinished.start)
    }
    return size === 0
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
