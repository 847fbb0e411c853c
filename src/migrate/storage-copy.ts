import { z } from 'zod'
import { isRalphError, RalphError, throwIfAborted } from '../errors.ts'
import type { Queries, Storage } from '../storage/storage.ts'
import { readValue, writeValue } from '../storage/stored-values.ts'
import { TABLE_NAMES } from './copied-tables.ts'
import {
  countRows,
  type Key,
  keyOf,
  type Name,
  OWN_SETTINGS,
  pageAfter,
  removeGone,
  writeChanged,
} from './table-copy.ts'

export interface StorageCopyOptions {
  /** Where the rows come from, in words that stay the same: how an interrupted copy knows its source again. */
  sourceName: string
  /** Makes the target equal to the source also when it holds rows of its own, which are lost. */
  replace?: boolean | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: CopyProgress) => void) | undefined
}

export interface CopyProgress {
  /** `checking`: everything is compared once more. */
  phase: 'copying' | 'checking'
  table: string
  done: number
  total: number
}

export interface CopyReport {
  /** Rows of each table, in the source and in the target, after the last round. */
  tables: { table: string; source: number; target: number }[]
  written: number
  removed: number
  /** True when the last round found every row equal. */
  verified: boolean
  /** True when an interrupted copy was taken up again. */
  resumed: boolean
}

const PROGRESS = `${OWN_SETTINGS}storage`
const Progress = z.object({
  source: z.string(),
  table: z.string(),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
  finishedAt: z.number().nullable(),
  /** Rows of the target when it was finished. */
  rows: z.number().default(0),
})
type Progress = z.infer<typeof Progress>

const UNFINISHED = { finishedAt: null, rows: 0 }

/** Each round copies what changed during the one before; with writers at work there may always be something. */
const MOST_ROUNDS = 5

/**
 * Copies all tables, page by page, while both sides are in use by readers. Every page is committed together with how
 * far we are, so that an interrupted copy goes on where it stopped. Then everything is compared once more.
 */
export async function copyStorage(
  source: Storage,
  target: Storage,
  options: StorageCopyOptions,
): Promise<CopyReport> {
  const resumed = await begin(target, options)
  const copy = new Copy(source.db, target, options)
  await copy.round('copying', resumed)
  let changed = copy.changed
  for (let round = 1; changed > 0 && round < MOST_ROUNDS; round++) changed = await copy.round('checking')
  const tables = await counts(source.db, target.db)
  const verified = changed === 0 && tables.every((one) => one.source === one.target)
  const rows = sum(tables.map((one) => one.target))
  if (verified) {
    const last = { table: TABLE_NAMES.at(-1)!, after: null, finishedAt: Date.now(), rows }
    await writeProgress(target.db, { source: options.sourceName, ...last })
  }
  return { tables, written: copy.written, removed: copy.removed, verified, resumed: resumed !== undefined }
}

class Copy {
  readonly #source: Queries
  readonly #target: Storage
  readonly #options: StorageCopyOptions
  written = 0
  removed = 0
  /** In the last round; 1 also when it could not be finished for others' sake. */
  changed = 0

  constructor(source: Queries, target: Storage, options: StorageCopyOptions) {
    this.#source = source
    this.#target = target
    this.#options = options
  }

  async round(phase: CopyProgress['phase'], from?: Progress): Promise<number> {
    try {
      this.changed = await this.#sweep()
      const rows = new Map<Name, number>()
      for (const table of TABLE_NAMES) rows.set(table, await countRows(this.#source, table))
      const total = sum(rows.values())
      const start = Math.max(0, TABLE_NAMES.indexOf(from?.table as Name))
      let done = sum(TABLE_NAMES.slice(0, start).map((table) => rows.get(table)!))
      for (const table of TABLE_NAMES.slice(start)) {
        const after = from?.table === table ? (from.after ?? undefined) : undefined
        for await (const page of this.#pages(table, after)) {
          done += page
          this.#options.onProgress?.({ phase, table, done, total })
        }
      }
    } catch (error) {
      // Somebody is changing rows that belong together while we copy them: the next round sees them whole.
      if (!isRalphError(error) || error.code !== 'conflict') throw error
      this.changed++
    }
    // A copy that was taken up in the middle has not seen everything.
    if (from) this.changed++
    return this.changed
  }

  async *#pages(table: Name, start: Key | undefined): AsyncGenerator<number> {
    for (let after = start; ; ) {
      throwIfAborted(this.#options.signal)
      const rows = await pageAfter(this.#source, table, after)
      if (rows.length === 0) return
      after = keyOf(table, rows.at(-1)!)
      const position = { ...UNFINISHED, source: this.#options.sourceName, table, after } as Progress
      const { written, waiting } = await this.#target.transaction(async (db) => {
        const result = await writeChanged(db, this.#target.dialect, table, rows)
        await writeProgress(db, position)
        return result
      })
      this.written += written
      this.changed += written + waiting
      yield rows.length
    }
  }

  /** Children first. What the target has too many of was deleted in the source since the last round. */
  async #sweep(): Promise<number> {
    let removed = 0
    for (const table of [...TABLE_NAMES].reverse()) {
      throwIfAborted(this.#options.signal)
      if ((await countRows(this.#target.db, table)) === 0) continue
      removed += await removeGone(this.#source, this.#target.db, table)
    }
    this.removed += removed
    return removed
  }
}

/** Returns where an interrupted copy stopped; refuses a target that others have filled. */
async function begin(target: Storage, options: StorageCopyOptions): Promise<Progress | undefined> {
  const { sourceName, replace = false } = options
  const progress = await readProgress(target.db)
  const interrupted = progress?.source === sourceName && progress.finishedAt === null
  if (interrupted) return progress
  if (!replace) await refuseUsed(target, progress?.source === sourceName ? progress : undefined)
  await writeProgress(target.db, {
    source: sourceName,
    table: TABLE_NAMES[0]!,
    after: null,
    ...UNFINISHED,
  })
  return undefined
}

/** As an earlier copy has left it, it may be brought up to date; what others have written must not be lost. */
async function refuseUsed(target: Storage, finished: Progress | undefined): Promise<void> {
  let rows = 0
  for (const table of TABLE_NAMES) rows += await countRows(target.db, table)
  if (rows === (finished?.rows ?? 0)) return
  const since = finished?.finishedAt && ` in use since ${new Date(finished.finishedAt).toISOString()}`
  throw new RalphError('conflict', `the target holds ${rows} rows${since || ' of its own'}`, {
    hint: 'Name an empty one, or pass --replace to make it equal to the source: rows that are only there are lost.',
  })
}

async function counts(source: Queries, target: Queries): Promise<CopyReport['tables']> {
  const tables: CopyReport['tables'] = []
  for (const table of TABLE_NAMES)
    tables.push({ table, source: await countRows(source, table), target: await countRows(target, table) })
  return tables
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0)
}

async function readProgress(db: Queries): Promise<Progress | undefined> {
  return Progress.safeParse(await readValue(db, PROGRESS)).data
}

function writeProgress(db: Queries, progress: Progress): Promise<void> {
  return writeValue(db, PROGRESS, progress, Date.now())
}
