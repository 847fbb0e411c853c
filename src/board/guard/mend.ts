import { isDeepStrictEqual } from 'node:util'
import { describeIssue, type EntryFile, loadError } from '../entry-file.ts'
import type { LoggedWrite } from '../write-log.ts'
import type { Mapping } from '../yaml/edit.ts'
import type { EntryList, ListReading } from '../yaml/read.ts'
import { entryWrites, isOfOthers, type KnownWrites, withEditsOfOthers } from './attribution.ts'
import { type EntryRule, judge } from './judge.ts'
import { render } from './render.ts'
import { replay } from './replay.ts'

export interface Mended {
  /** Absent when the file stays as it is. */
  text?: string
  undone: string[]
  others: string[]
}

/** What a run did to a file. */
interface Change {
  before: string
  after: string | undefined
  /** What came through the board. */
  logged: readonly LoggedWrite[]
  known: KnownWrites
  rule: EntryRule
}

/** The file as it should be after the run; undefined when nothing is to be said of it. */
export function mend<T>(file: EntryFile<T>, change: Change): Mended | undefined {
  const { before, after, logged } = change
  if (after === before) return undefined
  const { kind } = file
  const snapshot = file.readEntries(before)
  if (!snapshot.ok) throw loadError(file.path, snapshot.issues)
  const expected = replay(
    kind,
    snapshot.list,
    logged.filter(({ byAgent }) => !byAgent),
  )
  // Without the file nothing goes on, whoever has taken it away.
  const known = after === '' ? 'unknown' : change.known
  const current = readBack(file, after)
  if (current.ok) return judged(file, expected, current.list, { ...change, known })
  const what = describeIssue(file.path, current.issues[0]!)
  if (isOfOthers(known)) return { undone: [], others: [`${what}: left as it is`] }
  const earlier = lastReadable(file, known)
  const mended = earlier && judged(file, expected, earlier, { ...change, known: 'unknown' })
  return {
    text: mended?.text ?? earlier?.text ?? expected.text,
    undone: [`${what}: the whole file is restored`, ...(mended?.undone ?? [])],
    others: [],
  }
}

/** The file as it was before the agent broke it, perhaps with remarks that a person had made meanwhile. */
function lastReadable<T>(file: EntryFile<T>, known: KnownWrites): EntryList | undefined {
  const versions = known === 'unknown' ? [] : known
  for (const { before } of versions.toReversed()) {
    const reading = file.readEntries(before)
    if (reading.ok && before !== '') return reading.list
  }
  return undefined
}

function judged<T>(
  file: EntryFile<T>,
  expected: EntryList,
  current: EntryList,
  { known, logged, rule }: Change,
): Mended | undefined {
  const { kind } = file
  const written = entryWrites(file, known)
  const wanted = values(expected) as Mapping[]
  const attributed =
    written === 'unknown'
      ? { expected: wanted, others: [] }
      : withEditsOfOthers(kind, wanted, values(current), [
          ...written,
          ...logged.filter(({ byAgent }) => byAgent),
        ])
  const { others } = attributed
  const { entries, undone } = judge(file, attributed.expected, values(current), rule)
  const result = entries.map((entry) => entry.value)
  if (isDeepStrictEqual(result, values(current)))
    return others.length > 0 ? { undone: [], others } : undefined
  const text = render(kind, entries, expected, current)
  if (file.inspectText(text).ok) return { text, undone, others }
  return {
    text: expected.text,
    undone: [...undone, `${kind.file} could not be mended: the whole file is restored`],
    others: [],
  }
}

function values(list: EntryList): unknown[] {
  return list.entries.map((entry) => entry.value)
}

function readBack<T>(file: EntryFile<T>, text: string | undefined): ListReading {
  if (text === undefined) return { ok: false, issues: [{ line: 1, message: 'is not UTF-8 text' }] }
  return file.readEntries(text)
}
