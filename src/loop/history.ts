import { isFailedAttempt, wasInVain } from '../feature-memory/endings.ts'
import type { Journal, JournalPosition } from '../feature-memory/feature-memory.ts'
import { ErrorLedger } from '../feature-memory/ledger/error-ledger.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import type { LoopParts } from './parts.ts'

const KEPT_PER_TASK = 10
const KEPT_RECENT = 30
/** A failure further back says little about the next attempt. */
const RECENT_ATTEMPTS = 5

/**
 * What the loop needs to know about a feature's past, in memory that does not grow with it. Only what the journal gained
 * since the last look is read, so an iteration costs the same after two records and after two thousand.
 */
export class FeatureHistory {
  readonly #journal: Journal
  readonly #project: string
  #position: JournalPosition | undefined
  #reading: Promise<void> = Promise.resolve()
  #stamp: string | undefined
  #attempts = new Map<number, IterationRecord[]>()
  #recent: IterationRecord[] = []
  #ledger: ErrorLedger
  #touches = new Map<string, number>()
  #latest = 0
  #sinceReview = 0
  #reviews = 0

  constructor(journal: Journal, project: string) {
    this.#journal = journal
    this.#project = project
    this.#ledger = new ErrorLedger({ project })
  }

  /** One reading at a time: two at once would count the same records twice. */
  refresh(): Promise<void> {
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#read())
    return this.#reading
  }

  async #read(): Promise<void> {
    const stamp = this.#journal.stamp()
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

  /** The errors of the feature with their lives. */
  get ledger(): ErrorLedger {
    return this.#ledger
  }

  /** In how many iterations each file was touched. */
  get touches(): ReadonlyMap<string, number> {
    return this.#touches
  }

  #add(record: IterationRecord): void {
    this.#latest = Math.max(this.#latest, record.iterationNumber)
    // A session by hand neither is a review nor brings one nearer.
    if (record.kind === 'review') {
      this.#reviews++
      this.#sinceReview = 0
    } else if (record.kind === 'task') this.#sinceReview++
    keepLast(this.#recent, record, KEPT_RECENT)
    if (record.kind === 'task') {
      const attempts = this.#attempts.get(record.taskId) ?? []
      keepLast(attempts, record, KEPT_PER_TASK)
      this.#attempts.set(record.taskId, attempts)
    }
    for (const { path } of record.filesTouched) this.#touches.set(path, (this.#touches.get(path) ?? 0) + 1)
    this.#ledger.add(record)
  }

  #forget(): void {
    this.#attempts = new Map()
    this.#recent = []
    this.#ledger = new ErrorLedger({ project: this.#project })
    this.#touches = new Map()
    this.#latest = 0
    this.#sinceReview = 0
    this.#reviews = 0
  }
}

function keepLast<Item>(list: Item[], item: Item, count: number): void {
  list.push(item)
  if (list.length > count) list.shift()
}

/** The histories of all features that were asked about. */
export class Histories {
  readonly #parts: Pick<LoopParts, 'featureMemory' | 'project'>
  readonly #byFeature = new Map<string, FeatureHistory>()

  constructor(parts: Pick<LoopParts, 'featureMemory' | 'project'>) {
    this.#parts = parts
  }

  /** Up to date with the journal on disk. */
  async of(feature: string): Promise<FeatureHistory> {
    let history = this.#byFeature.get(feature)
    if (!history) {
      history = new FeatureHistory(this.#parts.featureMemory.journal(feature), this.#parts.project)
      this.#byFeature.set(feature, history)
    }
    await history.refresh()
    return history
  }
}
