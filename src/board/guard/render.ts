import { isDeepStrictEqual } from 'node:util'
import type { EntryKind } from '../entry-kind.ts'
import type { Mapping } from '../yaml/edit.ts'
import type { EntryList } from '../yaml/read.ts'
import { editList, entrySource } from '../yaml/write.ts'
import type { JudgedEntry } from './judge.ts'

/**
 * Writes the judged entries down, starting from whichever text needs fewer edits: the agent's, or what was there before
 * when the agent rewrote the file and threw people's comments away.
 */
export function render<T>(
  kind: EntryKind<T>,
  judged: readonly JudgedEntry[],
  expected: EntryList,
  current: EntryList,
): string {
  const onCurrent = judged.map(({ value, currentAt }) => ({ value, baseAt: currentAt }))
  const onExpected = orderedLike(kind, judged, expected)
  const effort = (base: EntryList, entries: readonly Placed[]) =>
    entries.filter(
      ({ value, baseAt }) => baseAt === undefined || !isDeepStrictEqual(base.entries[baseAt]!.value, value),
    ).length +
    base.entries.length -
    entries.filter(({ baseAt }) => baseAt !== undefined).length
  const fromExpected =
    lostComments(expected.text, current.text) ||
    (!newComments(expected.text, current.text) && effort(expected, onExpected) < effort(current, onCurrent))
  return fromExpected
    ? applyEntries(kind, expected, onExpected, expected)
    : applyEntries(kind, current, onCurrent, expected)
}

interface Placed {
  value: Mapping
  /** The entry of the base text it continues. */
  baseAt?: number | undefined
}

/** The old order, new entries at the end. */
function orderedLike<T>(kind: EntryKind<T>, judged: readonly JudgedEntry[], expected: EntryList): Placed[] {
  const place = new Map(expected.entries.map(({ value }, at) => [(value as Mapping)[kind.identity], at]))
  const placed = judged.map(({ value }) => ({ value, baseAt: place.get(value[kind.identity]) }))
  const known = placed.filter(({ baseAt }) => baseAt !== undefined).sort((a, b) => a.baseAt! - b.baseAt!)
  const fresh = placed.filter(({ baseAt }) => baseAt === undefined)
  return [...known, ...fresh]
}

/** The base's text edited into `entries`, which keep the order of the base. Restored entries bring their old text. */
function applyEntries<T>(
  kind: EntryKind<T>,
  base: EntryList,
  entries: readonly Placed[],
  expected: EntryList,
): string {
  const order = Object.values(kind.fields) as string[]
  let list = base
  let at = 0
  let next = 0 // the base entry that `at` stands for
  const removeUpTo = (baseAt: number): void => {
    for (; next < baseAt; next++) list = editList(list, { kind: 'remove', at }, order)
  }
  for (const { value, baseAt } of entries) {
    const source = sourceOf(kind, expected, value, base, baseAt)
    if (baseAt === undefined) {
      list = editList(list, { kind: 'insert', at, value, ...source }, order)
    } else {
      removeUpTo(baseAt)
      next++
      if (!isDeepStrictEqual(list.entries[at]!.value, value)) {
        list = editList(list, { kind: 'replace', at, value, ...source }, order)
      }
    }
    at++
  }
  removeUpTo(base.entries.length)
  return list.text
}

/**
 * A restored entry comes back as it was written, with the comment above it where that is gone too. One that has got a
 * remark meanwhile is edited instead: the remark may be a person's.
 */
function sourceOf<T>(
  kind: EntryKind<T>,
  expected: EntryList,
  value: Mapping,
  base: EntryList,
  baseAt: number | undefined,
): { source?: string } {
  const at = expected.entries.findIndex(
    (entry) => (entry.value as Mapping)[kind.identity] === value[kind.identity],
  )
  const former = expected.entries[at]
  if (!former || former.source === '' || !isDeepStrictEqual(former.value, value)) return {}
  const { comment, source } = entrySource(expected, at)
  if (baseAt === undefined) return { source: base.text.includes(comment.trim()) ? source : comment + source }
  return newComments(source, entrySource(base, baseAt).source) ? {} : { source }
}

function lostComments(before: string, after: string): boolean {
  const comments = commentsIn(before)
  const kept = new Set(commentsIn(after))
  return comments.filter((comment) => !kept.has(comment)).length * 2 > comments.length
}

/** Somebody wrote a remark meanwhile, which only this text has. */
function newComments(before: string, after: string): boolean {
  const known = new Set(commentsIn(before))
  return commentsIn(after).some((comment) => !known.has(comment))
}

function commentsIn(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)#[ \t]*(\S.*)$/gm)].map((match) => match[1]!.trim())
}
