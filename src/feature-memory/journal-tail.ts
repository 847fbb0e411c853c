import { errnoOf, fileError } from '../errors.ts'
import { openOwnFile } from '../files/own-files.ts'
import { journalItems } from './journal-lines.ts'
import { fromJournalLine, type IterationRecord } from './record.ts'

/** The records in the last so many bytes of a journal, oldest first; for those who have no time for all of it. */
export async function recordsAtEnd(path: string, bytes: number): Promise<IterationRecord[]> {
  const file = await openOwnFile(path, 'read').catch((error) => {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'reading the journal')
  })
  if (!file) return []
  try {
    const { size } = await file.stat()
    const records: IterationRecord[] = []
    // A line that begins before is no record from here on, and passed over like any that is damaged.
    const start = { offset: Math.max(0, size - bytes), line: 0, fingerprint: '' }
    for await (const item of journalItems(file, start, fromJournalLine))
      if (item.kind === 'record') records.push(item.record)
    return records
  } finally {
    await file.close()
  }
}
