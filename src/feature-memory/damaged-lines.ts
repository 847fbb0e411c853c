import type { FileHandle } from 'node:fs/promises'
import { isRalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { withFileLock } from '../files/file-lock.ts'
import { chunksOf } from '../files/lines.ts'
import { openOwnFile } from '../files/own-files.ts'
import { journalItems, START } from './journal-lines.ts'
import { remainder } from './journal-write.ts'
import { fromJournalLine } from './record.ts'

/**
 * Moves what cannot be read out of a journal and into its `.torn` file, where a person finds it; every other byte stays.
 * What a newer ralph has written is not damaged, and stays as well. Returns how many lines it moved.
 */
export function setDamagedAside(path: string): Promise<number> {
  return withFileLock(`${path}.lock`, async () => {
    const file = await openOwnFile(path, 'read')
    try {
      const { size } = await file.stat()
      const damaged: { from: number; to: number }[] = []
      for await (const { kind, offset, next } of journalItems(file, START, requireReadable))
        if (kind === 'damage') damaged.push({ from: offset, to: next.offset > offset ? next.offset : size })
      if (damaged.length === 0) return 0
      await keepAside(`${path}.torn`, file, damaged)
      await writeFileAtomically(path, remainder(file, damaged))
      return damaged.length
    } finally {
      await file.close()
    }
  })
}

function requireReadable(line: string): void {
  try {
    fromJournalLine(line)
  } catch (error) {
    if (!isRalphError(error) || error.code !== 'unsupported_version') throw error
  }
}

/** On the disk before anything is taken out of the journal. */
async function keepAside(
  path: string,
  journal: FileHandle,
  stretches: readonly { from: number; to: number }[],
): Promise<void> {
  const aside = await openOwnFile(path, 'append')
  try {
    for (const { from, to } of stretches) {
      let last: number | undefined
      for await (const chunk of chunksOf(journal, from, to)) {
        await aside.appendFile(chunk)
        last = chunk.at(-1) ?? last
      }
      if (last !== 0x0a) await aside.appendFile('\n')
    }
    await aside.datasync()
  } finally {
    await aside.close()
  }
}
