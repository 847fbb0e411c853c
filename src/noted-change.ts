import { AsyncLocalStorage } from 'node:async_hooks'

/** An entry of a file of the board, as plain data; `source` is its text before, with the comments of people. */
export interface EntryChange {
  of: 'board'
  file: string
  /** Where it stood in its list. */
  at: number
  before?: Record<string, unknown> | undefined
  after?: Record<string, unknown> | undefined
  source?: string | undefined
}

/** What this machine vouches for of a feature's learnings, by their ids; null where it knew nothing. */
export interface VouchedChange {
  of: 'learnings'
  feature: string
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export interface SettingValueChange {
  of: 'settings'
  place: 'user' | 'project'
  path: readonly [group: string, name: string]
  before?: unknown
  after?: unknown
  /** No copy of a key is kept. */
  secret?: true
}

/** Which feature this working copy is about. */
export interface ChoiceChange {
  of: 'choice'
  before?: string | undefined
  after?: string | undefined
}

export type UndoableChange = EntryChange | VouchedChange | SettingValueChange | ChoiceChange

interface Noting {
  changes: UndoableChange[]
  announce(change: UndoableChange): void
}

const noting = new AsyncLocalStorage<Noting>()

/** Called by whoever is about to change something, when all that could refuse it has been asked: it may be killed in the middle. */
export function announceChange(change: UndoableChange): void {
  noting.getStore()?.announce(change)
}

/** Called by whoever has changed something, in case somebody may want it undone. */
export function noteChange(change: UndoableChange): void {
  noting.getStore()?.changes.push(change)
}

/** Does some work and tells what it has changed so far, also when it fails in the middle. */
export async function changesDuring<Result>(
  work: () => Promise<Result>,
  tell: (changes: readonly UndoableChange[]) => Promise<void>,
  announce: (change: UndoableChange) => void = () => undefined,
): Promise<Result> {
  const changes: UndoableChange[] = []
  try {
    return await noting.run({ changes, announce }, work)
  } finally {
    if (changes.length > 0) await tell(changes)
  }
}
