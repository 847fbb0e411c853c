import { type CheckIdentity, covers, identify, type RunCheck } from '../../shell/check-key.ts'
import { errorSignature, isTelling } from '../../text/error-signature.ts'
import { isOfTheProject } from '../agent-trouble.ts'
import { type IterationRecord, MOST_SIGNATURES, type RecordedCheck, type RecordedError } from '../record.ts'
import { runOf, Works } from './attribution.ts'
import { isConnected, type LedgerEntry, type MetError } from './ledger.ts'
import type { SavedLedger } from './saved-ledger.ts'
import { TrackedError } from './tracked-error.ts'

const KEPT_ERRORS = 1_000
/** Of one error, in how many files. */
const KEPT_FILES = 50
const KEPT_CHECKS = 300
const KEPT_IDENTITIES = 1_000

type KnownCheck = RecordedCheck & CheckIdentity
/** The errors that a run met, and by which checks. */
type Met = ReadonlyMap<TrackedError, ReadonlySet<string>>

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
  #count = 0
  /** Of those, which are not shown to be solved: only of these can a run that does not report them tell anything. */
  readonly #unsolved = new Set<TrackedError>()
  /** By check: what it reported when it last ran, unless that was cut. */
  #reported = new Map<string, ReadonlySet<string> | undefined>()
  #works = new Works()
  #latest = 0
  readonly #identities = new Map<string, CheckIdentity>()

  constructor({ project }: { project?: string | undefined } = {}) {
    this.#project = project
  }

  static from(saved: SavedLedger, options: { project?: string | undefined }): ErrorLedger {
    const ledger = new ErrorLedger(options)
    for (const error of saved.errors.map(TrackedError.from)) {
      ledger.#errors.set(error.signature, [...(ledger.#errors.get(error.signature) ?? []), error])
      if (!error.isSolved) ledger.#unsolved.add(error)
    }
    ledger.#count = saved.errors.length
    ledger.#reported = new Map(
      saved.reported.map(([key, signatures]) => [key, signatures ? new Set(signatures) : undefined]),
    )
    ledger.#works = Works.from(saved.works)
    ledger.#latest = saved.latest
    return ledger
  }

  save(): SavedLedger {
    return {
      errors: this.#all().map((error) => error.save()),
      reported: [...this.#reported].map(([key, signatures]) => [key, signatures ? [...signatures] : null]),
      works: this.#works.save(),
      latest: this.#latest,
    }
  }

  /** Takes the next record. Returns the errors that its run met. */
  add(record: IterationRecord): MetError[] {
    this.#latest = Math.max(this.#latest, record.iterationNumber)
    const checks = record.checks
      .map((check) => ({ ...check, ...this.#identify(check) }))
      .filter(({ key }) => key !== '')
    this.#works.add(record)
    const met = this.#meet(record, checks)
    this.#noteRemovals(record)
    if (checks.length > 0) this.#judgeAll(record, checks, met)
    if (record.ending.kind === 'done') this.#finish(record, met)
    for (const check of checks) this.#keepReported(check)
    this.#forgetOldest()
    return [...met.keys()].map(({ signature, isMetAgain }) => ({ signature, again: isMetAgain }))
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
  #meet(record: IterationRecord, checks: readonly KnownCheck[]): Met {
    const run = runOf(record)
    const met = new Map<TrackedError, Set<string>>()
    const note = (error: TrackedError) => {
      this.#unsolved.add(error)
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
    const identity = this.#identify({ command })
    const same = checks.filter((check) => check.command === command || check.key === identity.key)
    if (same.length > 0) return same
    return identity.key === '' ? [] : [{ ...identity, command, kind: 'command' as const }]
  }

  /** The same few commands are run over and over: each is taken apart once. */
  #identify(check: RunCheck): CheckIdentity {
    const name = JSON.stringify([check.directory, check.command])
    const known = this.#identities.get(name)
    if (known) return known
    const identity = identify(check, this.#project)
    if (this.#identities.size >= KEPT_IDENTITIES) this.#identities.clear()
    this.#identities.set(name, identity)
    return identity
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
    const others = known.filter((one) => one !== error)
    for (const dropped of others.splice(0, others.length + 1 - KEPT_FILES)) this.#unsolved.delete(dropped)
    this.#errors.delete(signature)
    this.#errors.set(signature, [...others, error])
    this.#count += others.length + 1 - known.length
    return error
  }

  /** What the checks of a run say about the errors: those they report, and those that are not solved. */
  #judgeAll(record: IterationRecord, checks: readonly KnownCheck[], met: Met): void {
    const reported = new Map<string, KnownCheck[]>()
    for (const check of checks.filter(({ result }) => result === 'failed'))
      for (const signature of new Set(check.signatures))
        reported.set(signature, [...(reported.get(signature) ?? []), check])
    for (const [signature, reporting] of reported) {
      const errors = this.#errors.get(signature) ?? []
      for (const error of errors) {
        if (met.has(error)) error.leftBy(reporting)
        // The words are there, about another file.
        else if (errors.some((twin) => met.has(twin))) error.doubted()
      }
    }
    for (const error of this.#unsolved)
      if (!reported.has(error.signature)) this.#judge(error, record, checks, met)
  }

  /** What checks that do not report it say about one error that is not solved. */
  #judge(error: TrackedError, record: IterationRecord, checks: readonly KnownCheck[], met: Met): void {
    const metBy = met.get(error)
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
    this.#unsolved.delete(error)
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
  #finish({ taskId, iterationNumber }: IterationRecord, met: Met): void {
    for (const error of this.#unsolved) {
      const { lastSeen } = error
      const sameTask = taskId > 0 && lastSeen.taskId === taskId && lastSeen.iteration < iterationNumber
      if (sameTask || met.has(error)) error.finished()
    }
  }

  #keepReported({ key, result, signatures }: KnownCheck): void {
    const whole = result === 'failed' && signatures.length > 0 && signatures.length < MOST_SIGNATURES
    this.#reported.delete(key)
    this.#reported.set(key, whole ? new Set(signatures) : undefined)
    if (this.#reported.size > KEPT_CHECKS) this.#reported.delete(this.#reported.keys().next().value!)
  }

  #forgetOldest(): void {
    for (const [signature, errors] of this.#errors) {
      if (this.#count <= KEPT_ERRORS) return
      this.#errors.delete(signature)
      for (const error of errors) this.#unsolved.delete(error)
      this.#count -= errors.length
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
