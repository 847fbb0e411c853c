import { isDeepStrictEqual } from 'node:util'
import type { core } from 'zod'
import { isObject } from '../../text/json.ts'
import type { EntryFile } from '../entry-file.ts'
import type { EntryKind } from '../entry-kind.ts'
import type { Mapping } from '../yaml/edit.ts'

/** What an entry may be, after the agent's edit of an entry that was there before (or is new). */
export type EntryRule = (
  expected: Mapping | undefined,
  current: Mapping,
) => { value: Mapping; undone: string[] }

export interface JudgedEntry {
  value: Mapping
  /** Where the agent's file has it; absent when it had vanished there. */
  currentAt?: number
}

export interface Judgement {
  entries: JudgedEntry[]
  /** What is not as the agent left it, in words. */
  undone: string[]
}

interface Candidate {
  at: number
  value: Mapping
}

type Checker<T> = Pick<EntryFile<T>, 'kind' | 'parse'>

/**
 * Decides what the file should hold: the agent's entries in the agent's order, minus what was destructive, plus what had
 * vanished. `expected` is what the file should hold had the agent not touched it. Pure; knows nothing of text.
 */
export function judge<T>(
  file: Checker<T>,
  expected: readonly Mapping[],
  current: readonly unknown[],
  rule: EntryRule,
): Judgement {
  const { kind } = file
  const known = new Map(expected.map((value) => [value[kind.identity], value]))
  const undone: string[] = []
  const candidates = usable(kind, current, undone)
  undoRenames(kind, expected, candidates, undone)
  const entries = distinct(kind, known, candidates, undone).map(({ at, value }): JudgedEntry => {
    const former = known.get(value[kind.identity])
    if (former === value) return { value, currentAt: at } // the very same text
    const ruled = rule(former, value)
    const valid = withoutInvalidFields(file, former, ruled.value)
    const label = labelOf(kind, value)
    undone.push(...[...ruled.undone, ...valid.undone].map((what) => `${label}: ${what}`))
    return { value: valid.value, currentAt: at }
  })
  restoreVanished(kind, expected, entries, undone)
  return { entries: dropInvalid(file, entries, undone), undone }
}

/** Entries that name themselves; whatever else stands in the list is no entry. */
function usable<T>(kind: EntryKind<T>, current: readonly unknown[], undone: string[]): Candidate[] {
  const candidates: Candidate[] = []
  current.forEach((value, at) => {
    if (isObject(value)) candidates.push({ at, value })
    else undone.push(`entry ${at + 1} of ${kind.file} was no ${kind.noun}: removed`)
  })
  return candidates
}

/** An entry whose only change is its id or name is the same entry: identities are not the agent's to change. */
function undoRenames<T>(
  kind: EntryKind<T>,
  expected: readonly Mapping[],
  candidates: Candidate[],
  undone: string[],
): void {
  const known = new Set(expected.map((one) => one[kind.identity]))
  const present = new Set(candidates.map(({ value }) => value[kind.identity]))
  for (const vanished of expected.filter((one) => !present.has(one[kind.identity]))) {
    const renamed = candidates.find(
      ({ value }) =>
        !known.has(value[kind.identity]) && isDeepStrictEqual(rest(kind, value), rest(kind, vanished)),
    )
    if (!renamed) continue
    const wrong = JSON.stringify(renamed.value[kind.identity])
    undone.push(`${labelOf(kind, vanished)} had got the ${kind.identity} ${wrong}: undone`)
    renamed.value = { ...renamed.value, [kind.identity]: vanished[kind.identity] }
  }
}

function rest<T>(kind: EntryKind<T>, value: Mapping): Mapping {
  const { [kind.identity]: _, ...others } = value
  return others
}

/** One entry per identity. A second task under a used id gets its own; a second feature of one name goes. */
function distinct<T>(
  kind: EntryKind<T>,
  known: ReadonlyMap<unknown, Mapping>,
  candidates: readonly Candidate[],
  undone: string[],
): Candidate[] {
  const chosen = new Map<unknown, Candidate>()
  for (const candidate of candidates) {
    const identity = candidate.value[kind.identity]
    const former = known.get(identity)
    const first = chosen.get(identity)
    if (!first || (former && similarity(candidate.value, former) > similarity(first.value, former))) {
      chosen.set(identity, candidate)
    }
  }
  const all = [...known.values(), ...candidates.map(({ value }) => value)]
  let free = Math.max(0, ...all.map((value) => Number(value[kind.identity])).filter(Number.isSafeInteger)) + 1
  return candidates.flatMap((candidate) => {
    const keeper = chosen.get(candidate.value[kind.identity])!
    if (candidate === keeper) return [candidate]
    const label = labelOf(kind, candidate.value)
    if (kind.identity !== 'id' || isDeepStrictEqual(rest(kind, candidate.value), rest(kind, keeper.value))) {
      undone.push(`${label} was there twice: the second one is removed`)
      return []
    }
    undone.push(
      `${label} was there twice: the second one ("${candidate.value.title}") is now ${kind.noun} ${free}`,
    )
    return [{ at: candidate.at, value: { ...candidate.value, [kind.identity]: free++ } }]
  })
}

function similarity(value: Mapping, former: Mapping): number {
  return Object.keys(former).filter((key) => isDeepStrictEqual(value[key], former[key])).length
}

function withoutInvalidFields<T>(
  file: Checker<T>,
  former: Mapping | undefined,
  current: Mapping,
): { value: Mapping; undone: string[] } {
  const { kind } = file
  const parsed = file.parse(current)
  if (parsed.ok) return { value: current, undone: [] }
  const value = { ...current }
  const undone: string[] = []
  for (const [field, message] of invalidFields(parsed.error)) {
    if (field === kind.identity || (!(field in current) && !(field in (former ?? {})))) continue
    if (former?.[field] === undefined) delete value[field]
    else value[field] = former[field]
    undone.push(`${field} ${message}: ${former?.[field] === undefined ? 'removed' : 'restored'}`)
  }
  return { value, undone }
}

function invalidFields(error: core.$ZodError): Map<string, string> {
  return new Map(error.issues.map((issue) => [String(issue.path[0] ?? ''), issue.message]))
}

/** Puts vanished entries back behind the entry they used to follow. */
function restoreVanished<T>(
  kind: EntryKind<T>,
  expected: readonly Mapping[],
  entries: JudgedEntry[],
  undone: string[],
): void {
  const present = new Set(entries.map(({ value }) => value[kind.identity]))
  let previous: unknown
  for (const former of expected) {
    const identity = former[kind.identity]
    if (!present.has(identity)) {
      const after = entries.findIndex(({ value }) => value[kind.identity] === previous)
      entries.splice(after + 1, 0, { value: former })
      undone.push(`${labelOf(kind, former)} had vanished: put back`)
    }
    previous = identity
  }
}

/** What is still not valid is a new entry without a usable name or title: nothing of ours is lost with it. */
function dropInvalid<T>(file: Checker<T>, entries: readonly JudgedEntry[], undone: string[]): JudgedEntry[] {
  const { kind } = file
  return entries.filter(({ value }) => {
    const parsed = file.parse(value)
    if (parsed.ok) return true
    const [issue] = parsed.error.issues
    undone.push(`a new ${kind.noun} was not usable (${issue!.path.join('.')}: ${issue!.message}): removed`)
    return false
  })
}

export function labelOf<T>(kind: EntryKind<T>, value: Mapping): string {
  const identity = value[kind.identity]
  return kind.identity === 'id' ? `${kind.noun} ${identity}` : `${kind.noun} ${JSON.stringify(identity)}`
}
