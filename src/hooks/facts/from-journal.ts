import { changedPaths, ranToItsEnd } from '../../feature-memory/endings.ts'
import { failedCommands } from '../../feature-memory/failed-commands.ts'
import { ledgerOf } from '../../feature-memory/ledger/error-ledger.ts'
import { isConnected, isOpen, type LedgerEntry } from '../../feature-memory/ledger/ledger.ts'
import type { IterationRecord, RecordedCheck } from '../../feature-memory/record.ts'
import { ErrorBook } from '../../telling/error-book.ts'
import { isTelling } from '../../text/error-signature.ts'
import { type BriefingSection, emptyFacts, type FeatureFacts, type SayingInParts } from './feature-facts.ts'
import { changeSaying, errorLine, errorSaying, runLine, unfinishedLine } from './sayings.ts'

/** Enough to recognise an error; a feature with more has other worries. */
const MOST_ERRORS = 200
const MOST_OPEN = 5
const RECENT = 3
/** A run that changed more says little about each of them. */
const FEW_FILES = 4

/** Pure: what hooks may say about a feature, from its records, oldest first. */
export function factsFromJournal(
  records: readonly IterationRecord[],
  { feature, journal, project }: { feature: string; journal: string; project: string },
): FeatureFacts {
  const entries = ledgerOf(records, { project }).entries()
  const byNumber = new Map(records.map((record) => [record.iterationNumber, record]))
  return {
    ...emptyFacts(feature, journal),
    latest: records.at(-1)?.iterationNumber ?? 0,
    errors: Object.fromEntries(
      entries
        // Words that tell nothing may be another error's.
        .filter(({ signature }) => isTelling(signature))
        .slice(0, MOST_ERRORS)
        .reverse()
        .map((entry) => [
          entry.signature,
          errorSaying(entry, byNumber.get(entry.sightings.at(-1)!.iteration)),
        ]),
    ),
    changes: changesThatFailed(records, entries),
    commands: Object.fromEntries(failedCommands(records, project)),
    files: [...new Set(records.flatMap(changedPaths))],
    sections: sectionsOf(records, entries.filter(isOpen)),
  }
}

/** By file: the latest change of it after which a check failed, with an error that no later run shows solved. */
function changesThatFailed(
  records: readonly IterationRecord[],
  entries: readonly LedgerEntry[],
): Record<string, SayingInParts> {
  const open = new Map(entries.filter(isOpen).map((entry) => [entry.signature, entry]))
  const found = new Map<string, SayingInParts>()
  for (const record of records) {
    const files = changedPaths(record)
    for (const check of record.checks.filter(cameAfterTheChange)) {
      const reported = check.signatures.flatMap((signature) => open.get(signature) ?? [])
      for (const path of files) {
        const entry = reported.find(
          (one) =>
            files.length <= FEW_FILES ||
            one.filePath === path ||
            isConnected(one, { files: [path], text: '' }),
        )
        if (entry) found.set(path, changeSaying(path, record, check, entry))
      }
    }
  }
  return Object.fromEntries(found)
}

/** What a check found before the change, or between two changes, says nothing about what the change led to. */
function cameAfterTheChange({ result, changedBefore, changedAfter }: RecordedCheck): boolean {
  return result === 'failed' && changedBefore === true && changedAfter !== true
}

function sectionsOf(records: readonly IterationRecord[], open: readonly LedgerEntry[]): BriefingSection[] {
  const shown = open.slice(0, MOST_OPEN)
  const book = new ErrorBook(shown)
  const runs = newestFirst(records.filter((record) => record.kind !== 'review' && leftSomething(record)))
  // Runs first: only an error that their words quote needs a name.
  const unfinished = runs.slice(0, 1).filter(({ ending }) => ending.kind !== 'done')
  const left = unfinished.map((record) => unfinishedLine(record, book))
  const recent = runs.slice(left.length, left.length + RECENT).map((record) => runLine(record, book))
  const errors = shown.map((entry) => errorLine(entry, book.usedNameOf(entry)))
  return [
    { title: 'Left unfinished:', lines: left },
    { title: 'Open errors:', lines: errors },
    { title: left.length > 0 ? 'Before that:' : 'Latest work:', lines: recent },
  ]
}

/** Runs that end in the very same words tell the same: the newest of them is enough. */
function newestFirst(runs: readonly IterationRecord[]): IterationRecord[] {
  const bySummary = new Map<string, IterationRecord>()
  for (const run of runs.toReversed()) if (!bySummary.has(run.summary)) bySummary.set(run.summary, run)
  return [...bySummary.values()]
}

/** Ended from outside or by the service before it had changed anything: nothing of it is left to tell. */
function leftSomething(record: IterationRecord): boolean {
  return ranToItsEnd(record) || changedPaths(record).length > 0 || record.ending.begun !== undefined
}
