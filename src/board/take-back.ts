import { isDeepStrictEqual } from 'node:util'
import { RalphError } from '../errors.ts'
import type { EntryChange } from '../noted-change.ts'
import { plural } from '../text/plural.ts'
import type { EntryStore } from './entry-store.ts'
import type { Task } from './task.ts'
import type { Mapping } from './yaml/edit.ts'

interface Store {
  readonly kind: { file: string; noun: string; identity: string }
  changedSince(change: EntryChange): Promise<string[]>
  requireUnchanged(change: EntryChange): Promise<void>
  takeBack(change: EntryChange): Promise<void>
}

/** Whether what a change was about is as the change left it. */
export async function isLeftAsBy(stores: readonly Store[], change: EntryChange): Promise<boolean> {
  const store = stores.find(({ kind }) => kind.file === change.file)
  return store !== undefined && (await store.changedSince(change)).length === 0
}

/** Takes back all of them, the last one first, or none. */
export async function takeBackAll(
  stores: readonly [Store, EntryStore<Task>, Store],
  changes: readonly EntryChange[],
): Promise<void> {
  const all = changes.map((change) => {
    const store = stores.find(({ kind }) => kind.file === change.file)
    if (!store) throw new RalphError('damaged', `${JSON.stringify(change.file)} is no file of the board`)
    return { store, change }
  })
  for (const { store, change } of all) await store.requireUnchanged(change)
  for (const { store, change } of all)
    if (change.before === undefined) requireUnused(store, change.after!, changes, await stores[1].all())
  for (const { store, change } of all.toReversed()) await store.takeBack(change)
}

/** What was added goes only while nothing that stays refers to it. */
function requireUnused(
  store: Store,
  added: Mapping,
  changes: readonly EntryChange[],
  tasks: readonly Task[],
): void {
  const { noun, identity } = store.kind
  const name = added[identity]
  const refers = (task: Mapping) =>
    noun === 'task' ? [task['blocked_by']].flat().includes(name) : task[noun] === name
  const users = tasks.filter((task) => {
    const alongside = changes.find(({ after }) => after?.['id'] === task.id)
    // One that is taken back as well counts as it will be.
    if (alongside) return alongside.before !== undefined && refers(alongside.before)
    return noun === 'task' ? task.blockedBy.includes(name as number) : task[noun as 'feature'] === name
  })
  if (users.length === 0) return
  throw new RalphError(
    'conflict',
    `${noun} ${JSON.stringify(name)} is in use by ${plural(users.length, 'task')} (${users.map(({ id }) => id).join(', ')}): nothing was undone`,
    { hint: 'ralph task list' },
  )
}

/** One entry: before a change, after it, and now; absent where there was, or is, none. */
interface Versions {
  before: Mapping | undefined
  after: Mapping | undefined
  current: Mapping | undefined
}

/** Stands for the entry as a whole. */
export const ALL = '*'

/** The fields of a change that are no longer as the change left them; what else has changed is nobody's loss. */
export function changedFieldsSince({ before, after, current }: Versions): string[] {
  if (after === undefined) return current === undefined ? [] : [ALL]
  if (current === undefined) return [ALL]
  // Taken back, an entry that was added goes as a whole.
  const fields = before === undefined ? keysOf(after, current) : changedFields(before, after)
  return fields.filter((field) => !isDeepStrictEqual(current[field], after[field]))
}

/** The entry as it is now with the fields of the change as they were before it. */
export function mergedBack({ before, after, current }: Versions & { before: Mapping }): Mapping {
  if (after === undefined || current === undefined) return before
  if (isDeepStrictEqual(current, after)) return before
  const merged = { ...current }
  for (const field of changedFields(before, after)) {
    if (before[field] === undefined) delete merged[field]
    else merged[field] = before[field]
  }
  return merged
}

function changedFields(before: Mapping, after: Mapping): string[] {
  return keysOf(before, after).filter((field) => !isDeepStrictEqual(before[field], after[field]))
}

function keysOf(one: Mapping, other: Mapping): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}
