import { join } from 'node:path'
import { z } from 'zod'
import { fileError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { withFileLock } from '../files/file-lock.ts'
import { keptJson, keptJsonToChange, removeKeptJson } from '../files/kept-json.ts'
import { makeOwnFolder } from '../files/own-files.ts'
import type { UndoableChange } from '../noted-change.ts'
import { shortHash } from '../text/ids.ts'

/** Something that was done here through a command or on the page. */
export interface LoggedChange {
  /** Counted from 1; `u-12` to people. */
  id: number
  /** ISO 8601, UTC. */
  at: string
  /** What was done, in the words of the command: "task done 7". */
  label: string
  parts: UndoableChange[]
  /** Why it cannot be undone, where that is so. */
  final?: string | undefined
  /** What undoing it does not bring back. */
  remark?: string | undefined
  byAgent?: boolean | undefined
  /** The change that this one undid, and the one that undid this. */
  undoes?: number | undefined
  undoneBy?: number | undefined
}
export type NewChange = Omit<LoggedChange, 'id' | 'at' | 'undoneBy'>

const Record = z.record(z.string(), z.unknown())
const Part = z.discriminatedUnion('of', [
  z.object({
    ...{ of: z.literal('board'), file: z.string(), at: z.int().nonnegative() },
    ...{ before: Record.optional(), after: Record.optional(), source: z.string().optional() },
  }),
  z.object({ of: z.literal('learnings'), feature: z.string(), before: Record, after: Record }),
  z.object({
    ...{ of: z.literal('settings'), place: z.enum(['user', 'project']), secret: z.literal(true).optional() },
    ...{
      path: z.tuple([z.string(), z.string()]),
      before: z.unknown().optional(),
      after: z.unknown().optional(),
    },
  }),
  z.object({ of: z.literal('choice'), before: z.string().optional(), after: z.string().optional() }),
])
const Change = z.object({
  ...{ id: z.int().positive(), at: z.string(), label: z.string(), parts: z.array(Part) },
  ...{ final: z.string().optional(), remark: z.string().optional(), byAgent: z.boolean().optional() },
  ...{ undoes: z.int().optional(), undoneBy: z.int().optional() },
})
const Stored = z.object({ version: z.literal(1), next: z.int().positive(), changes: z.array(Change) })
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

  async append(change: NewChange): Promise<LoggedChange> {
    return this.#locked(async (stored) => {
      const added: LoggedChange = { ...change, id: stored.next, at: new Date().toISOString() }
      const former = stored.changes.map((one) =>
        one.id === change.undoes ? { ...one, undoneBy: added.id } : undone(one, change),
      )
      await this.#write({
        version: 1,
        next: stored.next + 1,
        changes: bounded([...former, added]) as Stored['changes'],
      })
      return added
    })
  }

  /** Nothing of it is left. */
  forget(): void {
    removeKeptJson(this.#file)
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

  #write(stored: Stored): Promise<void> {
    return writeFileAtomically(this.#file, `${JSON.stringify(stored)}\n`, { mode: 0o600 })
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
