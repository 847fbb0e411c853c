import { join } from 'node:path'
import { z } from 'zod'
import { fileError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { withFileLock } from '../files/file-lock.ts'
import { keptJson, keptJsonToChange, removeKeptJson } from '../files/kept-json.ts'
import { makeOwnFolder } from '../files/own-files.ts'
import type { UndoableChange } from '../noted-change.ts'
import { shortHash } from '../text/ids.ts'
import { type LoggedChange, type NewChange, StoredChange } from './logged-change.ts'
import { forgetUnderWay, UnderWay, type Unheard, unheardOf } from './under-way.ts'

export type { LoggedChange, NewChange } from './logged-change.ts'

const Stored = z.object({ version: z.literal(1), next: z.int().positive(), changes: z.array(StoredChange) })
type Stored = z.infer<typeof Stored>

const MOST_CHANGES = 50
const MOST_CHARACTERS = 2_000_000

/**
 * The last changes in one project, with what each has to be undone. Kept with the user, where no clone and no agent in a
 * project writes; bounded, the oldest go.
 */
export class ChangeLog {
  readonly #file: string

  constructor({ home, project }: { home: string; project: string }) {
    this.#file = join(home, 'changes', `${shortHash(project, 16)}.json`)
  }

  /** The latest last. */
  list(): LoggedChange[] {
    return this.#read().changes as LoggedChange[]
  }

  /** Says what is about to be done, before it is: see `heard`. */
  underWay(change: NewChange): UnderWay {
    return new UnderWay(this.#file, change)
  }

  async append(change: NewChange, underWay?: UnderWay): Promise<LoggedChange> {
    const added = await this.#locked((stored) =>
      this.#append(stored, { ...change, at: new Date().toISOString(), key: underWay?.key }),
    )
    underWay?.end()
    return added
  }

  /** Notes what those had done who were killed before they could note it; `done` tells what of it was done. */
  async hear(done: (parts: readonly UndoableChange[]) => Promise<UndoableChange[]>): Promise<void> {
    if (unheardOf(this.#file).length === 0) return
    await this.#locked(async (stored) => {
      for (const { unheard, take } of unheardOf(this.#file)) {
        if (unheard && !stored.changes.some(({ key }) => key === unheard.key)) {
          const parts = await done(unheard.parts)
          if (parts.length > 0) await this.#append(stored, { ...unheard, parts, cutShort: true })
        }
        take()
      }
    })
  }

  async #append(stored: Stored, change: NewChange & Pick<Unheard, 'at'> & { key?: string | undefined }) {
    const added: LoggedChange = { ...change, id: stored.next }
    const former = stored.changes.map((one) =>
      one.id === change.undoes ? { ...one, undoneBy: added.id } : undone(one, change),
    )
    stored.next++
    stored.changes = bounded([...former, added]) as Stored['changes']
    await writeFileAtomically(this.#file, `${JSON.stringify(stored)}\n`, { mode: 0o600 })
    return added
  }

  /** Nothing of it is left. */
  forget(): void {
    removeKeptJson(this.#file)
    forgetUnderWay(this.#file)
  }

  async #locked<Result>(work: (stored: Stored) => Promise<Result>): Promise<Result> {
    try {
      makeOwnFolder(join(this.#file, '..'), 0o700)
    } catch (error) {
      throw fileError(error, this.#file, 'noting what can be undone')
    }
    return withFileLock(`${this.#file}.lock`, () =>
      work(keptJsonToChange(this.#file, Stored.parse) ?? { version: 1, next: 1, changes: [] }),
    )
  }

  /** Damaged, it is only a log: what was done before can no longer be undone here. */
  #read(): Stored {
    return keptJson(this.#file, Stored.parse) ?? { version: 1, next: 1, changes: [] }
  }
}

/** A change that was undone counts again once its undoing is undone. */
function undone(one: Stored['changes'][number], change: NewChange): Stored['changes'][number] {
  if (change.undoes === undefined || one.undoneBy !== change.undoes) return one
  const { undoneBy: _, ...again } = one
  return again
}

function bounded(changes: readonly unknown[]): unknown[] {
  const kept: unknown[] = []
  let size = 0
  for (const change of changes.slice(-MOST_CHANGES).toReversed()) {
    size += JSON.stringify(change).length
    if (size > MOST_CHARACTERS && kept.length > 0) break
    kept.unshift(change)
  }
  return kept
}
