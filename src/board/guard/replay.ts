import { isDeepStrictEqual } from 'node:util'
import type { EntryKind } from '../entry-kind.ts'
import type { LoggedWrite } from '../write-log.ts'
import type { Mapping } from '../yaml/edit.ts'
import type { EntryList } from '../yaml/read.ts'
import { editList } from '../yaml/write.ts'
import { contains } from './lists.ts'

/** The snapshot as it would be had only these writes happened: what came through the board is wanted. */
export function replay<T>(
  kind: EntryKind<T>,
  snapshot: EntryList,
  writes: readonly LoggedWrite[],
): EntryList {
  const order = Object.values(kind.fields) as string[]
  return writes
    .filter((write) => write.file === kind.file)
    .reduce((list, { before, after }) => {
      const identity = (after ?? before)![kind.identity]
      const at = list.entries.findIndex(({ value }) => (value as Mapping)[kind.identity] === identity)
      if (!after) return at === -1 ? list : editList(list, { kind: 'remove', at }, order)
      if (at === -1) return before ? list : editList(list, { kind: 'append', value: after }, order)
      const value = applyChange(list.entries[at]!.value as Mapping, before ?? {}, after)
      return editList(list, { kind: 'replace', at, value }, order)
    }, snapshot)
}

/** Takes over only the fields that this write changed, in lists only the items. */
function applyChange(target: Mapping, before: Mapping, after: Mapping): Mapping {
  const result = { ...target }
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[field], after[field]]
    if (isDeepStrictEqual(was, is)) continue
    if (Array.isArray(was) && Array.isArray(is) && Array.isArray(target[field])) {
      result[field] = isDeepStrictEqual(target[field], was) ? is : applyListChange(target[field], was, is)
    } else if (is === undefined) delete result[field]
    else result[field] = is
  }
  return result
}

function applyListChange(
  target: readonly unknown[],
  was: readonly unknown[],
  is: readonly unknown[],
): unknown[] {
  const removed = was.filter((item) => !contains(is, item))
  const added = is.filter((item) => !contains(was, item))
  return [
    ...target.filter((item) => !contains(removed, item)),
    ...added.filter((item) => !contains(target, item)),
  ]
}
