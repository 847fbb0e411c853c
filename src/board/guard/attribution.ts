import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../text/json.ts'
import type { EntryFile } from '../entry-file.ts'
import type { EntryKind } from '../entry-kind.ts'
import type { LoggedWrite } from '../write-log.ts'
import type { Mapping } from '../yaml/edit.ts'
import { labelOf } from './judge.ts'
import { asList, contains } from './lists.ts'

/**
 * What is known of an agent's writes to a file: each of them, as the whole file before and after, or `unknown` when
 * something that it did may have written there. An empty list: whatever changed was changed by somebody else.
 */
export type KnownWrites = readonly { before: string; after: string }[] | 'unknown'

/** Whether no change of the file can be the agent's. */
export function isOfOthers(known: KnownWrites | undefined): boolean {
  return known !== undefined && known !== 'unknown' && known.length === 0
}

/** What is known of them, entry by entry. */
export function entryWrites<T>(file: EntryFile<T>, writes: KnownWrites): LoggedWrite[] | 'unknown' {
  if (writes === 'unknown') return 'unknown'
  const found: LoggedWrite[] = []
  for (const { before, after } of writes) {
    const was = file.readEntries(before)
    const is = file.readEntries(after)
    if (!was.ok || !is.ok) return 'unknown'
    const [old, now] = [was.list.entries, is.list.entries].map((entries) => byIdentity(file.kind, entries))
    for (const identity of new Set([...old!.keys(), ...now!.keys()])) {
      const write = { file: file.kind.file, before: old!.get(identity), after: now!.get(identity) }
      if (!isDeepStrictEqual(write.before, write.after)) found.push(write)
    }
  }
  return found
}

function byIdentity<T>(kind: EntryKind<T>, entries: readonly { value: unknown }[]): Map<unknown, Mapping> {
  const mappings = entries.map(({ value }) => value).filter(isObject)
  return new Map(mappings.map((value) => [value[kind.identity], value]))
}

export interface Attribution {
  /** What the file should hold had only the agent not touched it. */
  expected: Mapping[]
  /** What somebody else changed, in words. */
  others: string[]
}

/** Adds to `expected` what differs from it in `current` and is not the agent's: a person's edit is not for us to undo. */
export function withEditsOfOthers<T>(
  kind: EntryKind<T>,
  expected: readonly Mapping[],
  current: readonly unknown[],
  byAgent: readonly LoggedWrite[],
): Attribution {
  const now = byIdentity(
    kind,
    current.map((value) => ({ value })),
  )
  const known = new Set(expected.map((value) => value[kind.identity]))
  const others: string[] = []
  const kept = expected.flatMap((former) => {
    const identity = former[kind.identity]
    const writes = byAgent.filter(({ before, after }) => (after ?? before)![kind.identity] === identity)
    const value = now.get(identity)
    if (value === former) return [former] // the very same text
    if (!value) {
      if (writes.some(({ after }) => after === undefined)) return [former]
      others.push(`${labelOf(kind, former)} removed`)
      return []
    }
    const merged = mergeFields(former, value, writes)
    const fields = fieldsOf(former, merged).filter((key) => !isDeepStrictEqual(former[key], merged[key]))
    if (fields.length > 0) others.push(`${labelOf(kind, former)}: ${fields.join(', ')}`)
    return [fields.length > 0 ? merged : former]
  })
  const added = [...now.values()].filter(
    (value) =>
      !known.has(value[kind.identity]) &&
      !byAgent.some(({ after }) => after?.[kind.identity] === value[kind.identity]),
  )
  others.push(...added.map((value) => `${labelOf(kind, value)} added`))
  return { expected: [...kept, ...added], others }
}

function mergeFields(former: Mapping, current: Mapping, writes: readonly LoggedWrite[]): Mapping {
  const merged = { ...former }
  for (const field of fieldsOf(former, current)) {
    if (isDeepStrictEqual(former[field], current[field])) continue
    const own = writes
      .map(({ before, after }) => [before?.[field], after?.[field]] as const)
      .filter(([was, is]) => !isDeepStrictEqual(was, is))
    const value = own.length === 0 ? current[field] : mergeLists(former[field], current[field], own)
    if (value === undefined) delete merged[field]
    else merged[field] = value
  }
  return merged
}

/** Items of a list are told apart; of anything else that the agent wrote to, all is the agent's. */
function mergeLists(
  former: unknown,
  current: unknown,
  own: readonly (readonly [was: unknown, is: unknown])[],
): unknown {
  if (!Array.isArray(former) || !Array.isArray(current)) return former
  const changed = (from: 0 | 1, to: 0 | 1) =>
    own.flatMap((pair) => asList(pair[from]).filter((item) => !contains(asList(pair[to]), item)))
  const added = changed(1, 0)
  const removed = changed(0, 1)
  return [
    ...former.filter((item) => contains(current, item) || contains(removed, item)),
    ...current.filter((item) => !contains(former, item) && !contains(added, item)),
  ]
}

function fieldsOf(...values: readonly Mapping[]): string[] {
  return [...new Set(values.flatMap((value) => Object.keys(value)))]
}
