import { truncate } from '../../text/truncate.ts'
import { changedPaths, ranToItsEnd } from '../endings.ts'
import type { IterationRecord } from '../record.ts'
import { isConnected, type LedgerRun, type SolvingWork } from './ledger.ts'
import type { SavedWorks } from './saved-ledger.ts'

/** Further back nobody can tell any more whose change it was. */
const KEPT_WORKS = 40
const MOST_FILES = 20
const MOST_DECISIONS = 5
const LONGEST_SUMMARY = 1_000
/** Prose, and our own files: they make no check pass. */
const IRRELEVANT = /\.(?:md|mdx|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|CHANGELOG|\.ralph(?:\/|$))/

/** What must be known of an error to tell whose work solved it. */
export interface GoneError {
  message: string
  filePath?: string | undefined
  lastSeen: LedgerRun
  /** It went out of sight before its check came out well: nobody can say when it went. */
  outOfSight: boolean
  /** The run that saw it last changed files after its check had failed. */
  changedAfterSeen: boolean
}

export function runOf(record: IterationRecord): LedgerRun {
  const { iterationNumber: iteration, taskId, taskTitle, timestamp } = record
  return { iteration, taskId, taskTitle, timestamp }
}

/** The latest runs that changed something, to find the one whose changes solved an error. */
export class Works {
  #works: SolvingWork[] = []
  /** The latest iteration that is no longer kept. */
  #forgotten = 0

  static from({ works, forgotten }: SavedWorks): Works {
    const loaded = new Works()
    loaded.#works = works
    loaded.#forgotten = forgotten
    return loaded
  }

  save(): SavedWorks {
    return { works: this.#works, forgotten: this.#forgotten }
  }

  add(record: IterationRecord): void {
    const files = changedPaths(record).filter((path) => !IRRELEVANT.test(path))
    if (files.length === 0) return
    this.#works.push({
      ...runOf(record),
      files: files.slice(0, MOST_FILES),
      summary: ranToItsEnd(record) ? truncate(record.summary, LONGEST_SUMMARY) : '',
      decisions: record.decisions.slice(0, MOST_DECISIONS).map(({ description }) => description),
    })
    if (this.#works.length > KEPT_WORKS) this.#forgotten = this.#works.shift()!.iteration
  }

  /**
   * Whose changes solved an error, when its check came out well in `shownIn`. The run that met it and got over it did.
   * Of runs in between only one that has to do with it, by its task, its files or its words, can be named.
   */
  whoSolved(error: GoneError, shownIn: LedgerRun, changedBefore: boolean): SolvingWork | undefined {
    const { lastSeen } = error
    const own = this.#works.find(({ iteration }) => iteration === shownIn.iteration)
    if (lastSeen.iteration === shownIn.iteration) return changedBefore ? own : undefined
    if (error.outOfSight || lastSeen.iteration < this.#forgotten) return undefined
    const from = error.changedAfterSeen ? lastSeen.iteration : lastSeen.iteration + 1
    const since = this.#works.filter(
      (work) =>
        work.iteration >= from && work.iteration <= shownIn.iteration && (work !== own || changedBefore),
    )
    const connected = since.filter((work) =>
      isConnected(error, { files: work.files, text: `${work.taskTitle}\n${work.summary}` }),
    )
    const sameTask = since.filter(({ taskId }) => taskId > 0 && taskId === lastSeen.taskId)
    const work = only(connected, own) ?? (connected.length === 0 ? only(sameTask, own) : undefined)
    return work?.iteration === lastSeen.iteration ? { ...work, summary: '', decisions: [] } : work
  }
}

/** The one there is; of several the one after which the check came out well, since it was the last to help. */
function only(works: readonly SolvingWork[], own: SolvingWork | undefined): SolvingWork | undefined {
  if (works.length === 1) return works[0]
  return works.find((work) => work === own)
}
