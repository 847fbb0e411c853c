import { statSync } from 'node:fs'
import { isFailedAttempt, wasInVain } from '../feature-memory/failed-attempt.ts'
import type { Journal, JournalPosition } from '../feature-memory/journal.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import { errorSignature } from '../text/normalise.ts'

/** An error that came back: in how many iterations, and the latest of them. */
export interface RepeatedError {
  message: string
  signature: string
  filePath?: string | undefined
  /** The iterations it occurred in, the newest first. */
  iterations: number[]
}

interface ErrorSeen {
  message: string
  filePath: string | undefined
  iterations: number[]
}

/** Reviews look at a feature as a whole; their records carry this instead of a task. */
export const REVIEW_TASK_ID = 0

const KEPT_PER_TASK = 10
const KEPT_RECENT = 30
const KEPT_ERRORS = 1_000
const KEPT_ERROR_SIGHTINGS = 20
/** A failure further back says little about the next attempt. */
const RECENT_ATTEMPTS = 5
/** An error last seen this many iterations ago is no longer in the way. */
const ERROR_FADES_AFTER = 20

/**
 * What the loop needs to know about a feature's past, in memory that does not grow with it. Only what the journal gained
 * since the last look is read, so an iteration costs the same after two records and after two thousand.
 */
export class FeatureHistory {
  readonly #journal: Journal
  #position: JournalPosition | undefined
  #reading: Promise<void> = Promise.resolve()
  /** The journal only ever grows, so its size and time tell whether there is anything new. */
  #stamp: string | undefined
  #attempts = new Map<number, IterationRecord[]>()
  #recent: IterationRecord[] = []
  #errors = new Map<string, ErrorSeen>()
  #touches = new Map<string, number>()
  #latest = 0
  #sinceReview = 0
  #reviews = 0

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** One reading at a time: two at once would count the same records twice. */
  refresh(): Promise<void> {
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#read())
    return this.#reading
  }

  async #read(): Promise<void> {
    const stamp = stampOf(this.#journal.path)
    if (stamp === this.#stamp) return
    await this.#journal.read(this.#position, async ({ restarted, items, position }) => {
      if (restarted) this.#forget()
      for await (const item of items) {
        // A last line without its line feed may still grow; it is read again when it is whole.
        if (item.kind === 'record' && item.next.line === item.line) this.#add(item.record)
      }
      this.#position = await position()
    })
    this.#stamp = stamp
  }

  /** The number of the latest iteration; 0 when there is none. */
  get latest(): number {
    return this.#latest
  }

  get iterationsSinceReview(): number {
    return this.#sinceReview
  }

  get reviews(): number {
    return this.#reviews
  }

  /** The newest first. */
  recent(count: number): IterationRecord[] {
    return this.#recent.slice(-count).reverse()
  }

  /** Attempts at the task that did not work out, the newest first. */
  failedAttempts(taskId: number): IterationRecord[] {
    const attempts = this.#attempts.get(taskId) ?? []
    return attempts.filter(isFailedAttempt).reverse()
  }

  /** The task's earlier attempts of any outcome, the newest first. */
  attempts(taskId: number): IterationRecord[] {
    return [...(this.#attempts.get(taskId) ?? [])].reverse()
  }

  recentFailures(taskId: number): number {
    const latest = (this.#attempts.get(taskId) ?? []).slice(-RECENT_ATTEMPTS)
    return latest.filter(wasInVain).length
  }

  /** Errors that occurred in at least `times` iterations and lately, the most frequent first. */
  repeatedErrors(times: number): RepeatedError[] {
    return [...this.#errors]
      .map(([signature, seen]) => ({ signature, ...seen, iterations: [...seen.iterations].reverse() }))
      .filter(
        ({ iterations }) => iterations.length >= times && this.#latest - iterations[0]! < ERROR_FADES_AFTER,
      )
      .sort((a, b) => b.iterations.length - a.iterations.length || b.iterations[0]! - a.iterations[0]!)
  }

  /** In how many iterations each file was touched. */
  get touches(): ReadonlyMap<string, number> {
    return this.#touches
  }

  #add(record: IterationRecord): void {
    this.#latest = Math.max(this.#latest, record.iterationNumber)
    if (record.taskId === REVIEW_TASK_ID) this.#reviews++
    this.#sinceReview = record.taskId === REVIEW_TASK_ID ? 0 : this.#sinceReview + 1
    keepLast(this.#recent, record, KEPT_RECENT)
    const attempts = this.#attempts.get(record.taskId) ?? []
    keepLast(attempts, record, KEPT_PER_TASK)
    this.#attempts.set(record.taskId, attempts)
    for (const { path } of record.filesTouched) this.#touches.set(path, (this.#touches.get(path) ?? 0) + 1)
    for (const error of record.errors) this.#addError(error, record.iterationNumber)
  }

  #addError(error: IterationRecord['errors'][number], iteration: number): void {
    const signature = errorSignature(error.message)
    const seen = this.#errors.get(signature)
    const iterations = seen?.iterations ?? []
    if (iterations.at(-1) !== iteration) keepLast(iterations, iteration, KEPT_ERROR_SIGHTINGS)
    // Set anew, so that the map is in the order of the last sighting and the front is the oldest.
    this.#errors.delete(signature)
    this.#errors.set(signature, { message: error.message, filePath: error.filePath, iterations })
    if (this.#errors.size > KEPT_ERRORS) this.#errors.delete(this.#errors.keys().next().value!)
  }

  #forget(): void {
    this.#attempts = new Map()
    this.#recent = []
    this.#errors = new Map()
    this.#touches = new Map()
    this.#latest = 0
    this.#sinceReview = 0
    this.#reviews = 0
  }
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeMs}` : 'absent'
}

function keepLast<Item>(list: Item[], item: Item, count: number): void {
  list.push(item)
  if (list.length > count) list.shift()
}

/** The histories of all features that were asked about. */
export class Histories {
  readonly #journalOf: (feature: string) => Journal
  readonly #byFeature = new Map<string, FeatureHistory>()

  constructor(journalOf: (feature: string) => Journal) {
    this.#journalOf = journalOf
  }

  /** Up to date with the journal on disk. */
  async of(feature: string): Promise<FeatureHistory> {
    let history = this.#byFeature.get(feature)
    if (!history) {
      history = new FeatureHistory(this.#journalOf(feature))
      this.#byFeature.set(feature, history)
    }
    await history.refresh()
    return history
  }
}
