import { commandKey, partKey } from '../../shell/command-key.ts'
import type { CheckKind } from '../../shell/kinds.ts'
import { MOST_CHECKS, type RecordedCheck } from '../record.ts'
import { isActing } from './acting.ts'
import type { ReadCall } from './calls.ts'
import { type CheckResult, isOutputCut, wholeResult } from './check-results.ts'
import { touchesOf } from './files.ts'
import type { ProjectRoot } from './project-root.ts'
import { skippedTests } from './skipped-tests.ts'

/** A check over the run: how it came out the last time, and since when. */
interface Followed {
  check: Omit<RecordedCheck, 'changedBefore' | 'changedAfter'>
  /** Of the call since which the result has been the same, and of the last one. */
  since: number
  last: number
  runs: number
  /** All that it reported in the run. */
  reported: Set<string>
  /** How many tests it left out when it last failed. */
  skippedWhileFailing: number | undefined
}
/** So that it went through once is no news. */
type ReadCheck = Followed['check'] & { oneOff?: boolean }

/** Who must give way first when there are too many. */
const IMPORTANCE: readonly CheckKind[] = ['test', 'typecheck', 'build', 'lint', 'command']

/**
 * The commands of a run that can tell whether an error is still there, each as it came out the last time it ran.
 *
 * `command` is the `commandKey` of the single program call, `npm test` for `cd api && CI=1 npm test 2>&1 | tail -5`, with
 * `directory` `api`: the same check compares equal however it was written. A command line with several programs gives
 * one entry for each that surely ran. Besides tests, builds, lints and type checks other commands (`command`) are kept too,
 * failed ones first, so that the next run of one tells whether it still fails.
 *
 * `signatures` (and `cleared`) are the messages of what it reported, in the words of `errors`; the journal stores their `errorSignature`,
 * made after secrets have been masked.
 */
export function extractChecks(calls: readonly ReadCall[], root: ProjectRoot): RecordedCheck[] {
  const followed = new Map<string, Followed>()
  calls.forEach((read, at) => {
    for (const { oneOff, ...check } of checksOf(read, root)) {
      const key = `${check.directory ?? ''}\n${check.command}`
      const before = followed.get(key)
      if (oneOff && check.result === 'passed' && !before) continue
      followed.delete(key) // set anew, so that the latest comes last
      const since = before?.check.result === check.result ? before.since : at
      const reported = new Set([...(before?.reported ?? []), ...check.signatures])
      const skippedWhileFailing =
        check.result === 'failed' ? (check.skipped ?? 0) : before?.skippedWhileFailing
      followed.set(key, {
        check,
        since,
        last: at,
        runs: (before?.runs ?? 0) + 1,
        reported,
        skippedWhileFailing,
      })
    }
  })
  const changed = calls.map((read) => changesSomething(read, root))
  return mostTelling([...followed.values()]).map(({ check, since, last, reported, skippedWhileFailing }) => {
    const cleared = [...reported].filter((message) => !check.signatures.includes(message))
    return {
      ...check,
      ...(cleared.length > 0 && { cleared }),
      ...(check.skipped !== skippedWhileFailing && check.skipped && { skippedWhileFailing }),
      changedBefore: changed.slice(0, since).includes(true),
      changedAfter: changed.slice(last + 1).includes(true),
    }
  })
}

function checksOf(read: ReadCall, root: ProjectRoot): ReadCheck[] {
  const { results, parts } = read
  const acting = parts.filter(({ part }) => isActing(part))
  // A loop has no parts that could be told apart either.
  const several = acting.length > 1 || parts.length === 0
  if (!several || results.some(({ kind }) => kind !== 'command'))
    return results.map((result) => checkOf(result, read, root))
  const command = commandKey(read.call.command ?? '', root.path)
  const result = wholeResult(read)
  const signatures = read.failures.map(({ message }) => message)
  return command === '' || !result ? [] : [{ command, kind: 'command', result, signatures }]
}

function checkOf(checked: CheckResult, read: ReadCall, root: ProjectRoot): ReadCheck {
  const { part, directory, kind, result, failures, oneOff } = checked
  const skipped = kind === 'test' ? skippedTests(read.call.output) : 0
  const place = directory === undefined ? undefined : root.relative(directory, '/')
  return {
    command: partKey(part, root.path),
    kind,
    result,
    oneOff,
    signatures: failures.map(({ message }) => message),
    ...(result === 'failed' && isOutputCut(checked, read) && { outputCut: true }),
    ...(skipped > 0 && { skipped }),
    ...(place && { directory: place }),
  }
}

/** The board's own files change when a task is closed: that is no work on the project. */
function changesSomething(read: ReadCall, root: ProjectRoot): boolean {
  return touchesOf(read, root).some(({ path, action }) => action !== 'read' && !path.startsWith('.ralph/'))
}

function mostTelling(all: readonly Followed[]): Followed[] {
  if (all.length <= MOST_CHECKS) return [...all]
  const worth = ({ check, runs, last }: Followed) =>
    [check.result === 'failed' ? 0 : 1, IMPORTANCE.indexOf(check.kind), runs > 1 ? 0 : 1, -last] as const
  const ranked = all.toSorted((a, b) => compare(worth(a), worth(b)))
  const kept = new Set(ranked.slice(0, MOST_CHECKS))
  return all.filter((one) => kept.has(one))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at === -1 ? 0 : a[at]! - b[at]!
}
