import { RalphError } from '../errors.ts'
import { z } from '../text/schema.ts'
import type { Folding } from './journal-fold.ts'
import { FILE_ACTIONS, HIGHEST_NUMBER, JOURNAL_VERSION, TouchedFile } from './record.ts'

const FileHistory = z.object({
  path: z.string(),
  /** In how many iterations it was touched. */
  touches: z.int(),
  lastAction: z.enum(FILE_ACTIONS),
  lastIteration: z.int(),
})
export type FileHistory = z.infer<typeof FileHistory>

/** All that is wanted here of a line. */
const TouchesEntry = z.object({
  version: z.literal(JOURNAL_VERSION),
  record: z.object({
    iteration_number: z.int().check(z.positive(), z.maximum(HIGHEST_NUMBER)),
    files_touched: z._default(z.array(TouchedFile), []),
  }),
})
type Touches = z.infer<typeof TouchesEntry>['record']

/** Every file the feature's iterations touched, by its path. */
export const FILE_HISTORY: Folding<Touches, Map<string, FileHistory>> = {
  basis: 'files 2',
  cache: 'files.json',
  parseLine: touchesIn,
  start: () => new Map(),
  add: (files, item) => {
    if (item.kind === 'record') count(files, item.record)
  },
  save: (files) => [...files.values()],
  load: (saved) =>
    new Map(
      z
        .array(FileHistory)
        .parse(saved)
        .map((file) => [file.path, file]),
    ),
}

/** The most touched first. */
export function byTouches(files: ReadonlyMap<string, FileHistory>): FileHistory[] {
  return [...files.values()].sort(
    (a, b) => b.touches - a.touches || b.lastIteration - a.lastIteration || compare(a.path, b.path),
  )
}

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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
