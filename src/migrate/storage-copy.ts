import { z } from 'zod'
import { isRalphError, throwIfAborted } from '../errors.ts'
import { newestRevision, raiseRevisions } from '../storage/revisions.ts'
import type { Queries } from '../storage/storage.ts'
import { readOwnValue, writeOwnValue } from '../storage/stored-values.ts'
import { COPIED, KNOWLEDGE_NAMES, TABLE_NAMES } from './copied-tables.ts'
import { mergeEntries, mergeStaged } from './knowledge-merge.ts'
import {
  countRows,
  identity,
  type Key,
  keyOf,
  type Name,
  OWN_SETTINGS,
  pageAfter,
  removeUnseen,
  type Side,
  translated,
  writeChanged,
} from './table-copy.ts'

export interface StorageCopyOptions {
  /** Where the rows come from, in words that stay the same: how an interrupted copy knows its source again. */
  sourceName: string
  /** What is the person's own in the target goes first. What is everybody's, or somebody else's, stays. */
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
  /** Rows of each table that were to come along, and how many of them are there, after the last round. */
  tables: { table: string; source: number; target: number }[]
  written: number
  removed: number
  /** True when the last round found nothing to bring. */
  verified: boolean
  /** True when an interrupted copy was taken up again. */
  resumed: boolean
  /** True when the person had used the target before: then what is there already was left as it is. */
  merged: boolean
}

const PROGRESS = `${OWN_SETTINGS}storage`
const Progress = z.object({
  source: z.string(),
  table: z.string(),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
  finishedAt: z.number().nullable(),
  /** The newest of the target when it was finished. */
  revision: z.number().default(0),
  /** The target had nothing of the person's own when it began. */
  mirrors: z.boolean().default(false),
})
type Progress = z.infer<typeof Progress>

/** Each round copies what changed during the one before; with writers at work there may always be something. */
const MOST_ROUNDS = 5

/**
 * Brings a person's own rows, and what is everybody's, into another database, page by page, while both are in use. Every page
 * is committed together with how far we are, so that an interrupted copy goes on where it stopped. Then everything is
 * compared once more. Nobody else's rows are touched, and nothing is counted twice.
 */
export async function copyStorage(
  source: Side,
  target: Side,
  options: StorageCopyOptions,
): Promise<CopyReport> {
  const { progress, resumed } = await begin(source, target, options)
  const copy = new Copy(source, target, progress, options)
  if (options.replace && !resumed) copy.removed += await removeOwn(target)
  await copy.round('copying', resumed ? progress : undefined)
  let changed = copy.changed
  for (let round = 1; changed > 0 && round < MOST_ROUNDS; round++) changed = await copy.round('checking')
  const verified = changed === 0 && copy.tables.every((one) => one.source === one.target)
  if (verified) {
    const revision = await newestRevision(target.storage.db)
    await writeProgress(target, { ...progress, finishedAt: Date.now(), revision })
  }
  const { tables, written, removed } = copy
  return { tables, written, removed, verified, resumed, merged: !progress.mirrors }
}

class Copy {
  readonly #source: Side
  readonly #target: Side
  readonly #progress: Progress
  readonly #options: StorageCopyOptions
  tables: CopyReport['tables'] = []
  written = 0
  removed = 0
  /** In the last round; 1 also when it could not be finished for others' sake. */
  changed = 0

  constructor(source: Side, target: Side, progress: Progress, options: StorageCopyOptions) {
    this.#source = source
    this.#target = target
    this.#progress = progress
    this.#options = options
  }

  async round(phase: CopyProgress['phase'], from?: Progress): Promise<number> {
    this.changed = 0
    this.tables = []
    try {
      const rows = new Map<Name, number>()
      for (const table of [...KNOWLEDGE_NAMES, ...TABLE_NAMES])
        rows.set(table, await countRows(this.#source, table))
      const total = sum(rows.values())
      let done = 0
      const tell = (table: string) => this.#options.onProgress?.({ phase, table, done, total })
      // It comes first: whoever was further has it.
      if (from && from.after !== null) done += sum(KNOWLEDGE_NAMES.map((table) => rows.get(table)!))
      else {
        for await (const page of this.#knowledge()) {
          done += page
          tell('knowledge')
        }
      }
      const start = Math.max(0, TABLE_NAMES.indexOf(from?.table as Name))
      done += sum(TABLE_NAMES.slice(0, start).map((table) => rows.get(table)!))
      for (const table of TABLE_NAMES.slice(start)) {
        const after = from?.table === table ? (from.after ?? undefined) : undefined
        for await (const page of this.#pages(table, after)) {
          done += page
          tell(table)
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

  async *#knowledge(): AsyncGenerator<number> {
    for (const [table, merge] of [
      ['knowledge_entries', mergeEntries],
      ['knowledge_staging', mergeStaged],
    ] as const) {
      let rows = 0
      for (let after: string | undefined; ; ) {
        throwIfAborted(this.#options.signal)
        const page = await merge(this.#source, this.#target, after)
        if (!page) break
        after = page.last
        rows += page.rows
        this.written += page.written
        this.changed += page.written
        yield page.rows
      }
      this.tables.push({ table, source: rows, target: rows })
    }
  }

  async *#pages(table: Name, start: Key | undefined): AsyncGenerator<number> {
    const { storage, person } = this.#target
    const { whose } = COPIED[table]
    const seen = new Set<string>()
    const isSwept = this.#progress.mirrors && start === undefined && isSweptTable(table)
    const tally = { table, source: 0, target: 0 }
    for (let after = start; ; ) {
      throwIfAborted(this.#options.signal)
      const rows = await pageAfter(this.#source, table, after)
      if (rows.length === 0) break
      after = keyOf(table, rows.at(-1)!)
      const position: Progress = { ...this.#progress, table, after: after as Progress['after'] }
      const { written, waiting } = await storage.transaction(async (db) => {
        const own = whose === 'team' ? [...rows] : await translated(db, table, rows, person)
        if (isSwept) for (const row of own) seen.add(identity(table, row))
        const options = { dialect: storage.dialect, keepsOwn: !this.#progress.mirrors, person }
        const result = await writeChanged(db, table, own, options)
        await writeProgress({ storage: { ...storage, db }, person }, position)
        return result
      })
      this.written += written
      this.changed += written + waiting
      tally.source += rows.length
      tally.target += rows.length - waiting
      yield rows.length
    }
    // What the target has too many of was deleted in the source while we copied.
    if (isSwept) await this.#sweep(table, seen)
    this.tables.push(tally)
  }

  async #sweep(table: Name, seen: ReadonlySet<string>): Promise<void> {
    const removed = await removeUnseen(this.#target, table, seen)
    this.removed += removed
    this.changed += removed
  }
}

/** Exchanges and what they consist of go with their conversation. */
function isSweptTable(table: Name): boolean {
  return COPIED[table].whose === 'person' || table === 'conversation_tags'
}

/** What is the person's own in the target. */
async function removeOwn(target: Side): Promise<number> {
  let removed = 0
  for (const table of [...TABLE_NAMES].reverse())
    if (COPIED[table].whose === 'person') removed += await removeUnseen(target, table, new Set())
  return removed
}

/** How to begin, or where an interrupted copy stopped. */
async function begin(
  source: Side,
  target: Side,
  { sourceName, replace = false }: StorageCopyOptions,
): Promise<{ progress: Progress; resumed: boolean }> {
  const before = await readProgress(target)
  if (before?.source === sourceName && before.finishedAt === null) return { progress: before, resumed: true }
  // Whoever has seen the source up to some revision must find what comes now after it.
  const newest = await newestRevision(source.storage.db)
  await target.storage.transaction((db) => raiseRevisions(db, newest))
  const isSame = before?.source === sourceName ? before : undefined
  const mirrors = replace || !(await isUsed(target, isSame))
  const progress = {
    source: sourceName,
    table: TABLE_NAMES[0]!,
    after: null,
    finishedAt: null,
    revision: 0,
    mirrors,
  }
  await writeProgress(target, progress)
  return { progress, resumed: false }
}

/** Whether the person has anything of their own there that no earlier copy has brought. */
async function isUsed(target: Side, copied: Progress | undefined): Promise<boolean> {
  const { storage, person } = target
  for (const table of ['conversations', 'document_pieces'] as const) {
    const rows = await storage.db
      .selectFrom(table)
      .select('id')
      .where('person', '=', person)
      .where('revision', '>', copied?.mirrors ? copied.revision : 0)
      .limit(1)
      .execute()
    if (rows.length > 0) return true
  }
  const settings = await storage.db
    .selectFrom('person_settings')
    .select('key')
    .where('person', '=', person)
    .where('key', 'not like', `${OWN_SETTINGS}%`)
    .where('updated_at', '>', (copied?.mirrors && copied.finishedAt) || 0)
    .limit(1)
    .execute()
  return settings.length > 0
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0)
}

async function readProgress({ storage, person }: Side): Promise<Progress | undefined> {
  return Progress.safeParse(await readOwnValue(storage.db, person, PROGRESS)).data
}

function writeProgress(
  { storage, person }: { storage: { db: Queries }; person: string },
  progress: Progress,
): Promise<void> {
  return writeOwnValue(storage.db, person, PROGRESS, progress, Date.now())
}
