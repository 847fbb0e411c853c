import type { CheckIdentity, RunCheck } from '../../shell/check-key.ts'
import { isTelling } from '../../text/error-signature.ts'
import { shortHash } from '../../text/ids.ts'
import type { RecordedCheck, RecordedError } from '../record.ts'
import type { GoneError } from './attribution.ts'
import type { ErrorLife, LedgerEntry, LedgerRun, Solution } from './ledger.ts'
import type { SavedError } from './saved-ledger.ts'

const KEPT_SIGHTINGS = 10
const KEPT_SOLUTIONS = 3
const KEPT_REPORTERS = 5
/** Not seen in so many iterations of its feature, nobody can say that an error is still there. */
const FADES_AFTER = 20

/** A check that reported the error. */
export type Reporter = RunCheck &
  CheckIdentity &
  Pick<RecordedCheck, 'kind' | 'skipped' | 'skippedWhileFailing'>

/** One error while the journal is read: its life so far, in memory that does not grow with the journal. */
export class TrackedError {
  readonly signature: string
  readonly id: string
  #error: Pick<RecordedError, 'message' | 'type' | 'filePath' | 'line'>
  #sightings: LedgerRun[] = []
  #times = 0
  #solutions: Solution[] = []
  #reporters = new Map<string, Reporter>()
  #state: 'seen' | 'solved' | 'quiet' = 'seen'
  /** The check that was left reporting it, and whether files were changed after that. */
  #left: { failing: boolean; changedAfter: boolean } = { failing: false, changedAfter: false }

  /** A check that had reported it failed in another way since. */
  #outOfSight = false

  /** The file it was in, or the test that reported it, is no more: that nothing reports it proves nothing. */
  #placeRemoved = false

  /** Named by how it was first reported. */
  constructor(
    signature: string,
    { message, type, filePath, line }: RecordedError,
    id = shortHash(JSON.stringify([signature, filePath ?? null]), 8),
  ) {
    this.signature = signature
    this.id = id
    this.#error = { message, type, filePath, line }
  }

  static from(saved: SavedError): TrackedError {
    const loaded = new TrackedError(saved.signature, saved.error, saved.id)
    loaded.#sightings = saved.sightings
    loaded.#times = saved.times
    loaded.#solutions = saved.solutions
    loaded.#reporters = new Map(saved.reporters.map((reporter) => [reporter.key, reporter]))
    loaded.#state = saved.state
    loaded.#left = saved.left
    loaded.#outOfSight = saved.outOfSight
    loaded.#placeRemoved = saved.placeRemoved
    return loaded
  }

  save(): SavedError {
    return {
      signature: this.signature,
      id: this.id,
      error: this.#error,
      sightings: this.#sightings,
      times: this.#times,
      solutions: this.#solutions,
      reporters: [...this.#reporters.values()],
      state: this.#state,
      left: this.#left,
      outOfSight: this.#outOfSight,
      placeRemoved: this.#placeRemoved,
    }
  }

  get filePath(): string | undefined {
    return this.#error.filePath
  }

  get lastSeen(): LedgerRun {
    return this.#sightings.at(-1)!
  }

  /** The run that met it last was not the first. */
  get isMetAgain(): boolean {
    return this.#times > 1
  }

  get isPlaceRemoved(): boolean {
    return this.#placeRemoved
  }

  get isSolved(): boolean {
    return this.#state === 'solved'
  }

  /** What is known of it when its check comes out well. */
  get solved(): GoneError {
    const { message, filePath } = this.#error
    const { lastSeen } = this
    return {
      message,
      filePath,
      lastSeen,
      outOfSight: this.#outOfSight,
      changedAfterSeen: this.#left.changedAfter,
    }
  }

  get reporters(): ReadonlyMap<string, Reporter> {
    return this.#reporters
  }

  seen(run: LedgerRun, error?: RecordedError): void {
    if (error) {
      const { message, type, filePath = this.#error.filePath, line } = error
      this.#error = { message, type: type ?? this.#error.type, filePath, line }
    }
    if (this.#state === 'solved') this.#returned(run.iteration)
    this.#state = 'seen'
    this.#outOfSight = false
    this.#placeRemoved = false
    this.#left = { failing: false, changedAfter: false }
    if (this.#sightings.at(-1)?.iteration === run.iteration) return
    this.#times++
    this.#sightings.push(run)
    if (this.#sightings.length > KEPT_SIGHTINGS) this.#sightings.splice(1, 1)
  }

  #returned(iteration: number): void {
    // Words that tell nothing may be another error's: then nothing came back.
    if (!isTelling(this.signature)) this.#solutions = []
    else this.#solutions = this.#solutions.with(-1, { ...this.#solutions.at(-1)!, cameBackIn: iteration })
  }

  reportedBy({ key, suite, command, directory, kind, ...check }: Reporter): void {
    const skipped = check.skippedWhileFailing ?? check.skipped
    this.#reporters.delete(key)
    this.#reporters.set(key, { key, suite, command, directory, kind, skipped })
    if (this.#reporters.size > KEPT_REPORTERS) this.#reporters.delete(this.#reporters.keys().next().value!)
  }

  fileRemoved(path: string): void {
    if (this.#error.filePath === path || this.#error.message.includes(path)) this.#placeRemoved = true
  }

  /** These still reported it when its run ended. Of other commands than checks nobody knows whether they should work. */
  leftBy(reporting: readonly RecordedCheck[]): void {
    this.#left = {
      failing: reporting.some(({ kind }) => kind !== 'command'),
      changedAfter: reporting.some(({ changedAfter }) => changedAfter),
    }
  }

  solvedBy(solution: Solution): void {
    this.#state = 'solved'
    this.#solutions.push(solution)
    if (this.#solutions.length > KEPT_SOLUTIONS) this.#solutions.shift()
  }

  /** Its check failed again, in another way: that may hide it. */
  doubted(): void {
    this.#outOfSight = true
    this.#silence()
  }

  /** Work on its task was finished. An error that a check was left reporting is there all the same. */
  finished(): void {
    if (!this.#left.failing) this.#silence()
  }

  #silence(): void {
    if (this.#state === 'seen') this.#state = 'quiet'
  }

  entry(latest: number): LedgerEntry {
    const reporter = [...this.#reporters.values()].at(-1)
    return {
      id: this.id,
      signature: this.signature,
      ...this.#error,
      life: this.#life(latest),
      sightings: [...this.#sightings],
      times: this.#times,
      ...(reporter && { check: { command: reporter.command, kind: reporter.kind } }),
      solutions: [...this.#solutions],
    }
  }

  #life(latest: number): ErrorLife {
    if (this.#state === 'solved') return 'solved'
    if (this.#state === 'quiet' || latest - this.lastSeen.iteration >= FADES_AFTER) return 'not_seen_since'
    return this.#solutions.length > 0 ? 'came_back' : 'open'
  }
}
