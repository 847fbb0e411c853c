import { type CheckIdentity, covers, identify } from '../../shell/check-key.ts'
import { errorSignature, isTelling } from '../../text/error-signature.ts'
import { isOfTheProject } from '../agent-trouble.ts'
import { type IterationRecord, MOST_SIGNATURES, type RecordedCheck, type RecordedError } from '../record.ts'
import { runOf, Works } from './attribution.ts'
import { isConnected, type LedgerEntry } from './ledger.ts'
import { TrackedError } from './tracked-error.ts'

const KEPT_ERRORS = 1_000
/** Of one error, in how many files. */
const KEPT_FILES = 50
const KEPT_CHECKS = 300

type KnownCheck = RecordedCheck & CheckIdentity

/** The ledger of a whole journal, oldest record first. */
export function ledgerOf(
  records: Iterable<IterationRecord>,
  options: { project?: string } = {},
): ErrorLedger {
  const ledger = new ErrorLedger(options)
  for (const record of records) ledger.add(record)
  return ledger
}

/**
 * Every error of a feature with its life, from its records in the order of the journal. It takes one record at a time and
 * never looks back, so what it costs and keeps does not grow with the journal.
 */
export class ErrorLedger {
  readonly #project: string | undefined
  /** By signature; several when the same words were reported of several files. The least recently met first. */
  #errors = new Map<string, TrackedError[]>()
  /** By check: what it reported when it last ran, unless that was cut. */
  #reported = new Map<string, ReadonlySet<string> | undefined>()
  #works = new Works()
  #latest = 0

  constructor({ project }: { project?: string | undefined } = {}) {
    this.#project = project
  }

  add(record: IterationRecord): void {
    this.#latest = Math.max(this.#latest, record.iterationNumber)
    const checks = record.checks
      .map((check) => ({ ...check, ...identify(check, this.#project) }))
      .filter(({ key }) => key !== '')
    this.#works.add(record)
    const met = this.#meet(record, checks)
    this.#noteRemovals(record)
    if (checks.length > 0) {
      for (const error of this.#all()) this.#judge(error, record, checks, met)
    }
    if (record.ending.kind === 'done') this.#finish(record, met)
    for (const check of checks) this.#keepReported(check)
    this.#forgetOldest()
  }

  /** All of them, the most recently met first. */
  entries(): LedgerEntry[] {
    return this.#all()
      .map((error) => error.entry(this.#latest))
      .reverse()
  }

  /** Those that share a file with `files`, or a name with `text`, say a task's title and description. */
  related(to: { files?: readonly string[]; text?: string }): LedgerEntry[] {
    const { files = [], text = '' } = to
    return this.entries().filter((entry) => isConnected(entry, { files, text }))
  }

  #all(): TrackedError[] {
    return [...this.#errors.values()].flat()
  }

  /** Notes every error the run met, and by which checks. */
  #meet(record: IterationRecord, checks: readonly KnownCheck[]): Map<TrackedError, Set<string>> {
    const run = runOf(record)
    const met = new Map<TrackedError, Set<string>>()
    const note = (error: TrackedError) => {
      const keys = met.get(error) ?? new Set()
      met.set(error, keys)
      return keys
    }
    for (const reported of record.errors.filter(isOfTheProject)) {
      const error = this.#find(reported)
      // Told in words alone, what is solved may be told as history.
      if (!error || (error.isSolved && !isReported(reported, error.signature, checks))) continue
      error.seen(run, reported)
      const keys = note(error)
      if (reported.command === undefined || isMentioned(error.signature, checks)) continue
      for (const reporter of this.#reportersOf(reported.command, checks)) {
        error.reportedBy(reporter)
        keys.add(reporter.key)
      }
    }
    for (const check of checks) {
      for (const signature of [...check.signatures, ...(check.cleared ?? [])]) {
        // Which of several files is meant only the record's own errors can tell.
        const known = this.#errors.get(signature) ?? []
        const meant = known.length === 1 ? known : known.filter((error) => met.has(error))
        for (const error of meant) {
          if (!met.has(error)) error.seen(run)
          error.reportedBy(check)
          note(error).add(check.key)
        }
      }
    }
    return met
  }

  /** The checks of this record that this command was; what an older record does not tell is taken from the command. */
  #reportersOf(command: string, checks: readonly KnownCheck[]) {
    const identity = identify({ command }, this.#project)
    const same = checks.filter((check) => check.command === command || check.key === identity.key)
    if (same.length > 0) return same
    return identity.key === '' ? [] : [{ ...identity, command, kind: 'command' as const }]
  }

  /** The same words about another file are another error; without a file they are the one there is. */
  #find(reported: RecordedError): TrackedError | undefined {
    const signature = errorSignature(reported.message)
    if (signature === '') return undefined
    const known = this.#errors.get(signature) ?? []
    const { filePath } = reported
    const error =
      known.find((one) => one.filePath === filePath) ??
      (filePath === undefined && known.length === 1 ? known[0] : undefined) ??
      (filePath !== undefined ? known.find((one) => one.filePath === undefined) : undefined) ??
      new TrackedError(signature, reported)
    // Set anew, so that the front of the map is what was met longest ago.
    this.#errors.delete(signature)
    this.#errors.set(signature, [...known.filter((one) => one !== error), error].slice(-KEPT_FILES))
    return error
  }

  /** What the checks of a run say about one error. */
  #judge(
    error: TrackedError,
    record: IterationRecord,
    checks: readonly KnownCheck[],
    met: ReadonlyMap<TrackedError, ReadonlySet<string>>,
  ): void {
    const metBy = met.get(error)
    const reporting = checks.filter(
      ({ result, signatures }) => result === 'failed' && signatures.includes(error.signature),
    )
    if (reporting.length > 0) {
      if (metBy) error.leftBy(reporting)
      // The words are there, about another file.
      else if (this.#errors.get(error.signature)!.some((twin) => met.has(twin))) error.doubted()
      return
    }
    if (error.isSolved) return
    const own = checks.filter((check) => this.#canTell(check, error))
    if (own.length === 0) return
    const keys = new Set(own.map(({ key }) => key))
    // It was met by a command of which nothing says how it ended.
    if (metBy && [...metBy].some((key) => !keys.has(key))) return
    const convincing = own.filter(
      (check) =>
        (check.skipped ?? 0) <= (error.reporters.get(check.key)?.skipped ?? 0) &&
        (check.result === 'passed' || (!metBy && this.#isGone(error, check))),
    )
    if (convincing.length < own.length || error.isPlaceRemoved) {
      // A check that fails without a telling word has not looked past the error either.
      if (own.every(({ result, signatures }) => result === 'passed' || signatures.some(isTelling)))
        error.doubted()
      return
    }
    const check = convincing.at(-1)!
    const run = runOf(record)
    const by = this.#works.whoSolved(error.solved, run, check.changedBefore ?? true)
    error.solvedBy({ ...run, check: check.command, ...(by && { by }) })
  }

  #canTell(check: KnownCheck, { reporters }: TrackedError): boolean {
    if (reporters.has(check.key)) return true
    if (check.result === 'failed') return false
    return [...reporters.values()].some((reporter) => covers(check, reporter))
  }

  /** A check that still fails says so only when it reports nothing but what it had reported next to the error: no news hides it. */
  #isGone(error: TrackedError, { key, signatures, outputCut }: KnownCheck): boolean {
    const before = this.#reported.get(key)
    return (
      outputCut !== true &&
      before?.has(error.signature) === true &&
      signatures.length > 0 &&
      signatures.length < MOST_SIGNATURES &&
      signatures.every((signature) => before.has(signature))
    )
  }

  #noteRemovals({ filesTouched }: IterationRecord): void {
    const removed = filesTouched.filter(({ action }) => action === 'deleted')
    if (removed.length === 0) return
    for (const error of this.#all()) for (const { path } of removed) error.fileRemoved(path)
  }

  /** What nobody works on any more, and nothing was left reporting, is not called open. */
  #finish({ taskId, iterationNumber }: IterationRecord, met: ReadonlyMap<TrackedError, unknown>): void {
    for (const error of this.#all()) {
      const { lastSeen } = error
      const sameTask = taskId > 0 && lastSeen.taskId === taskId && lastSeen.iteration < iterationNumber
      if (met.has(error) || sameTask) error.finished()
    }
  }

  #keepReported({ key, result, signatures }: KnownCheck): void {
    const whole = result === 'failed' && signatures.length > 0 && signatures.length < MOST_SIGNATURES
    this.#reported.delete(key)
    this.#reported.set(key, whole ? new Set(signatures) : undefined)
    if (this.#reported.size > KEPT_CHECKS) this.#reported.delete(this.#reported.keys().next().value!)
  }

  #forgetOldest(): void {
    let count = this.#all().length
    for (const [signature, errors] of this.#errors) {
      if (count <= KEPT_ERRORS) return
      this.#errors.delete(signature)
      count -= errors.length
    }
  }
}

function isReported({ command }: RecordedError, signature: string, checks: readonly KnownCheck[]): boolean {
  return command !== undefined || isMentioned(signature, checks)
}

/** The checks themselves say best which of them reported an error. */
function isMentioned(signature: string, checks: readonly KnownCheck[]): boolean {
  return checks.some(
    ({ signatures, cleared = [] }) => signatures.includes(signature) || cleared.includes(signature),
  )
}
