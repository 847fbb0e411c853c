import { lstatSync } from 'node:fs'
import { type FileHandle, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errnoOf, fileError, RalphError } from '../errors.ts'
import { syncDirectory, writeFileAtomically } from '../files/atomic-write.ts'
import { withFileLock } from '../files/file-lock.ts'
import { chunksOf, linesOf } from '../files/lines.ts'
import { openOwnFile, readOwnFile } from '../files/own-files.ts'
import { Seal } from '../files/seal.ts'
import {
  countLines,
  type JournalItem,
  type JournalPosition,
  journalItems,
  LONGEST_LINE,
  type ParseLine,
  positionAt,
  recordsAt,
  recordsFromEnd,
  START,
  sizeOf,
  stillFits,
} from './journal-lines.ts'
import { highestNumber, rememberNumbering } from './journal-numbering.ts'
import { appendDurably, readableLine, recordIn, remainder, startFreshLine } from './journal-write.ts'
import { fromJournalLine, HIGHEST_NUMBER, type IterationRecord } from './record.ts'

export type { JournalItem, JournalPosition } from './journal-lines.ts'

export interface JournalReading<Entry = IterationRecord> {
  /** True when the given position no longer fitted and reading began at the start. */
  restarted: boolean
  items: AsyncIterable<JournalItem<Entry>>
  /** Where reading stopped; call it after the last item. */
  position(): Promise<JournalPosition>
}

export interface JournalRemoval {
  records: readonly IterationRecord[]
  /** What else was looked at. */
  left: readonly IterationRecord[]
  /** Where `since` is now; undefined when it no longer fitted. */
  readTo?: JournalPosition | undefined
}

/** The cache files of what is worked out from the journal. */
const WORKED_OUT = ['files.json', 'outline.json', 'errors.json'] as const
export type WorkedOut = (typeof WORKED_OUT)[number]

type BuiltRecords = readonly IterationRecord[] | Promise<readonly IterationRecord[]>

/** One feature's memory on disk: append-only JSON lines, the truth that every index is rebuilt from. */
export class Journal {
  readonly path: string
  readonly #lockPath: string
  readonly #cachePath: string
  readonly seal: Seal

  /** @internal */
  constructor(options: { path: string; cacheDir: string; name: string; seal?: Seal }) {
    this.path = options.path
    this.seal = options.seal ?? new Seal()
    // Beside the journal: a cache that is cleared under writers must not take their lock along.
    this.#lockPath = `${options.path}.lock`
    this.#cachePath = join(options.cacheDir, 'journal', options.name)
  }

  /**
   * Gives each record the next free number and returns once all of them are on the disk.
   * `build` runs under the lock: what it reads from the journal cannot change before its records are appended.
   */
  async append(build: (firstNumber: number) => BuiltRecords): Promise<readonly IterationRecord[]> {
    return withFileLock(this.#lockPath, async () => {
      try {
        const before = await startFreshLine(this.path, this.#tornPath)
        const highest = await highestNumber(this, before)
        if (highest >= HIGHEST_NUMBER) throw usedUp(highest)
        const records = await build(highest + 1)
        if (records.length === 0) return records
        const end = await appendDurably(this.path, records.map(readableLine).join(''))
        if (before.offset === 0) await syncDirectory(dirname(this.path))
        const numbers = records.map((record) => record.iterationNumber)
        rememberNumbering(this, { end, highest: Math.max(highest, ...numbers) })
        return records
      } catch (error) {
        throw fileError(error, this.path, 'writing the journal')
      }
    })
  }

  /** Reads what came after `since`, or everything when that part of the file has changed. */
  read<T>(since: JournalPosition | undefined, use: (reading: JournalReading) => Promise<T>): Promise<T> {
    return this.readAs(fromJournalLine, since, use)
  }

  /** The same for whoever wants only some of each line, which takes a fraction of the time. */
  async readAs<Entry, T>(
    parseLine: ParseLine<Entry>,
    since: JournalPosition | undefined,
    use: (reading: JournalReading<Entry>) => Promise<T>,
  ): Promise<T> {
    const file = await this.#open()
    if (!file)
      return use({
        restarted: since !== undefined && since.offset > 0,
        items: nothing(),
        position: async () => START,
      })
    try {
      const fits = since !== undefined && stillFits(file, since)
      const start = fits ? since : START
      let place: Pick<JournalPosition, 'offset' | 'line'> = start
      const items = async function* () {
        if (start.offset === sizeOf(file)) return
        for await (const item of journalItems(file, start, parseLine)) {
          place = item.next
          yield item
        }
      }
      return await use({
        restarted: since !== undefined && !fits,
        items: items(),
        position: async () => positionAt(file, place),
      })
    } finally {
      await file.close()
    }
  }

  /** All items, for callers that want to look at everything. */
  async *items(): AsyncGenerator<JournalItem> {
    const file = await this.#open()
    if (!file) return
    try {
      yield* journalItems(file, START, fromJournalLine)
    } finally {
      await file.close()
    }
  }

  async *records(): AsyncGenerator<IterationRecord> {
    for await (const item of this.items()) if (item.kind === 'record') yield item.record
  }

  /** The newest first, read from the end: whoever wants a few does not pay for all. */
  async *newestFirst(mayMatch: (line: string) => boolean = () => true): AsyncGenerator<IterationRecord> {
    const file = await this.#open()
    if (!file) return
    try {
      yield* recordsFromEnd(file, mayMatch)
    } finally {
      await file.close()
    }
  }

  /** The records whose lines begin at these places, for whoever has noted them; none where there is none any more. */
  async at(offsets: readonly number[]): Promise<(IterationRecord | undefined)[]> {
    const file = await this.#open()
    if (!file) return offsets.map(() => undefined)
    try {
      return await recordsAt(file, offsets)
    } finally {
      await file.close()
    }
  }

  /** Changes with whatever happens to the file: as long as it is the same, there is nothing new. */
  stamp(): string {
    // Of a link itself: whoever reads through it is told that it is one.
    const stats = lstatSync(this.path, { throwIfNoEntry: false })
    return stats ? `${stats.ino}:${stats.size}:${stats.mtimeMs}` : 'absent'
  }

  async size(): Promise<{ iterations: number; bytes: number }> {
    const file = await this.#open()
    if (!file) return { iterations: 0, bytes: 0 }
    try {
      return await countLines(file)
    } finally {
      await file.close()
    }
  }

  /** How many lines cut short by a crash lie in `<journal>.torn`. */
  async setAside(): Promise<number> {
    try {
      return readOwnFile(this.#tornPath)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '').length
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return 0
      throw fileError(error, this.#tornPath, 'reading')
    }
  }

  /** Moves lines that cannot be read there as well. Returns how many. */
  async setDamagedAside(): Promise<number> {
    return (await import('./damaged-lines.ts')).setDamagedAside(this.path)
  }

  /**
   * Rewrites the journal without the records that `choose` picks among those whose lines may match; every other byte
   * stays, damaged lines too. `since` is where somebody had read to.
   */
  async remove(
    mayMatch: (line: string) => boolean,
    choose: (records: readonly IterationRecord[]) => readonly IterationRecord[],
    since?: JournalPosition,
  ): Promise<JournalRemoval> {
    return withFileLock(this.#lockPath, async () => {
      const file = await this.#open()
      if (!file) return { records: [], left: [] }
      try {
        const stretches = new Map<IterationRecord, { from: number; to: number }>()
        for await (const { text, offset, next } of linesOf(chunksOf(file), { longest: LONGEST_LINE })) {
          const record = text !== undefined && mayMatch(text) ? recordIn(text) : undefined
          if (record) stretches.set(record, { from: offset, to: next })
        }
        const records = choose([...stretches.keys()])
        const left = [...stretches.keys()].filter((record) => !records.includes(record))
        if (records.length === 0) return { records, left }
        const dropped = records.map((record) => stretches.get(record)!).sort((a, b) => a.from - b.from)
        const fits = since !== undefined && stillFits(file, since)
        await writeFileAtomically(this.path, remainder(file, dropped))
        return { records, left, ...(fits && { readTo: await this.#positionWithout(since, dropped) }) }
      } finally {
        await file.close()
      }
    })
  }

  /** Removes what is left of a journal without records; damaged lines are somebody's to mend, so they stay. */
  async removeIfEmpty(): Promise<void> {
    await withFileLock(this.#lockPath, async () => {
      const file = await this.#open()
      const left = await file?.readFile('utf8').finally(() => file.close())
      if (left?.trim()) return
      await rm(this.path, { force: true })
      await rm(this.cacheFile('json'), { force: true })
      await this.dropWorkedOut()
    })
  }

  /** What is kept of the journal in other forms is worked out anew: nothing forgotten stays in it. */
  async dropWorkedOut(): Promise<void> {
    for (const ending of WORKED_OUT) await rm(this.cacheFile(ending), { force: true })
  }

  /** A file for something that can be worked out again from the journal. */
  cacheFile(ending: WorkedOut | 'json'): string {
    return `${this.#cachePath}.${ending}`
  }

  async #positionWithout(
    { offset, line }: JournalPosition,
    dropped: readonly { from: number; to: number }[],
  ): Promise<JournalPosition | undefined> {
    const before = dropped.filter(({ to }) => to <= offset)
    const bytes = before.reduce((sum, { from, to }) => sum + to - from, 0)
    const file = await this.#open()
    if (!file) return undefined
    try {
      return positionAt(file, { offset: offset - bytes, line: line - before.length })
    } finally {
      await file.close()
    }
  }

  get #tornPath(): string {
    return `${this.path}.torn`
  }

  async #open(): Promise<FileHandle | undefined> {
    try {
      return await openOwnFile(this.path, 'read')
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined
      throw fileError(error, this.path, 'reading the journal')
    }
  }
}

function usedUp(highest: number): RalphError {
  return new RalphError('conflict', `the journal holds an iteration ${highest}: no number comes after it`, {
    hint: `ralph memory forget --iteration ${highest} --feature …`,
  })
}

async function* nothing(): AsyncGenerator<never> {
  // a journal that does not exist yet has no items
}
