import { isDeepStrictEqual } from 'node:util'
import type { UndoableChange } from '../noted-change.ts'

/** As one: of several changes of the same thing, how it was before the first and after the last. */
export function coalesced(changes: readonly UndoableChange[]): UndoableChange[] {
  const whole = new Map<string, UndoableChange>()
  for (const change of changes) {
    const key = changedThing(change)
    const former = whole.get(key)
    whole.set(key, former ? joined(former, change) : change)
  }
  return [...whole.values()].filter(
    (change) => ('secret' in change && change.secret) || !isDeepStrictEqual(change.before, change.after),
  )
}

/** What a change is about. */
export function changedThing(change: UndoableChange): string {
  switch (change.of) {
    case 'board': {
      const entry = change.before ?? change.after ?? {}
      return JSON.stringify([change.of, change.file, entry['id'] ?? entry['name']])
    }
    case 'learnings':
      return JSON.stringify([change.of, change.feature])
    case 'settings':
      return JSON.stringify([change.of, change.place, change.path])
    case 'choice':
      return change.of
  }
}

function joined(first: UndoableChange, last: UndoableChange): UndoableChange {
  if (first.of === 'learnings' && last.of === 'learnings')
    return {
      ...first,
      before: { ...last.before, ...first.before },
      after: { ...first.after, ...last.after },
    }
  return { ...first, after: last.after } as UndoableChange
}
