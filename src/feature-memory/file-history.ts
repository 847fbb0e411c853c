import { z } from 'zod'
import { isRalphError, RalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'
import type { Journal } from './journal.ts'
import { JournalPosition } from './journal-lines.ts'
import { FILE_ACTIONS, HIGHEST_NUMBER, JOURNAL_VERSION, TouchedFile } from './record.ts'

const FileHistory = z.object({
  path: z.string(),
  /** In how many iterations it was touched. */
  touches: z.int(),
  lastAction: z.enum(FILE_ACTIONS),
  lastIteration: z.int(),
})
export type FileHistory = z.infer<typeof FileHistory>

/** What was counted, and how far the journal had been read by then. Disposable. */
const Counted = z.object({
  position: JournalPosition,
  files: z.array(FileHistory),
})

/** Every file the feature's iterations touched, the most touched first. Only what is new in the journal is read. */
export async function fileHistory(journal: Journal, cachePath: string): Promise<FileHistory[]> {
  const known = await counted(cachePath)
  return journal.readAs(touchesIn, known?.position, async ({ restarted, items, position }) => {
    const files = new Map(restarted ? [] : known?.files.map((file) => [file.path, file]))
    const unfinished: Touches[] = []
    let read = 0
    for await (const item of items) {
      if (item.kind !== 'record') continue
      read++
      // A last line without its line feed may still grow: it counts, but is not remembered as counted.
      if (item.next.line === item.line) count(files, item.record)
      else unfinished.push(item.record)
    }
    if (read > unfinished.length)
      await remember(cachePath, { position: await position(), files: [...files.values()] })
    for (const record of unfinished) count(files, record)
    return [...files.values()].sort(
      (a, b) => b.touches - a.touches || b.lastIteration - a.lastIteration || compare(a.path, b.path),
    )
  })
}

/** All that is wanted here of a line. */
const TouchesEntry = z.object({
  version: z.literal(JOURNAL_VERSION),
  record: z.object({
    iteration_number: z.int().positive().max(HIGHEST_NUMBER),
    files_touched: z.array(TouchedFile).default([]),
  }),
})
type Touches = z.infer<typeof TouchesEntry>['record']

function touchesIn(line: string): Touches {
  try {
    return TouchesEntry.parse(JSON.parse(line)).record
  } catch (cause) {
    throw new RalphError('damaged', 'not a journal entry', { cause })
  }
}

function count(files: Map<string, FileHistory>, { files_touched, iteration_number }: Touches): void {
  for (const { path, action } of files_touched) {
    const touches = (files.get(path)?.touches ?? 0) + 1
    files.set(path, { path, touches, lastAction: action, lastIteration: iteration_number })
  }
}

async function counted(path: string): Promise<z.infer<typeof Counted> | undefined> {
  try {
    return Counted.safeParse(JSON.parse(readOwnFile(path).toString('utf8'))).data
  } catch {
    return undefined // missing or damaged: counted anew
  }
}

async function remember(path: string, value: z.infer<typeof Counted>): Promise<void> {
  try {
    await writeFileAtomically(path, JSON.stringify(value), { disposable: true })
  } catch (error) {
    if (!isRalphError(error)) throw error // a full or read-only disk costs time, not the answer
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
