import { isRalphError, messageOf, type RalphError } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import type { Storage } from '../../storage/storage.ts'
import { redact } from '../../text/redact.ts'

export type WorkerState = 'running' | 'idle' | 'stopped'

/** What a worker is doing at this moment. */
export interface WorkerActivity {
  state: WorkerState
  currentItem: string | undefined
  /** Of the work found at the beginning of this round. */
  done: number
  total: number
  /** Why it cannot go on, with what to do. */
  problem: string | undefined
}

export interface Round {
  signal: AbortSignal
  /** The one before was in vain: one item tells whether this one is, too. */
  afterTrouble: boolean
  /** Shows what is under way; `total` when it is found out. */
  progress(change: Partial<Pick<WorkerActivity, 'currentItem' | 'done' | 'total'>>): void
}

/** What became of items, by their ids. */
export interface Became {
  done: readonly string[]
  /** They wait for their next try, or are given up. */
  failed: readonly string[]
}

/** One that brought nothing to an end lets the worker rest. */
export interface RoundResult extends Became {
  /** Something waits for its next try at this time. */
  nextDue?: Date | undefined
  /** Nothing works at the moment: a pause, longer each time, before the next round. */
  troubled?: boolean
  /** Each try may be paid for: pauses grow up to an hour, whatever happens meanwhile. */
  costly?: boolean
  /** Why, where it can be said, with what to do. */
  trouble?: RalphError
}

/** How many items a worker has brought to an end; one that failed and was done later is done. */
export type Drained = Record<keyof Became, number>

export const NOTHING: Became = { done: [], failed: [] }

export interface WorkerOptions {
  name: string
  owner: string
  storage: Storage
  person: Person
  clock: () => Date
  /** Does what there is to do, and returns. */
  round: (round: Round) => Promise<RoundResult>
  /** Read again and again: another process may switch it. */
  enabled: () => Promise<boolean>
  restSeconds: () => Promise<number>
  /** Hears what stops all work, such as a storage that is down, and with nothing that it goes on. */
  onTrouble: (error?: unknown) => void
}

const SHOWN_EVERY_MS = 1_000
/** How often a pause doubles, from a second: to half a minute, and to an hour where each try may cost money. */
const DOUBLED = 5
const DOUBLED_COSTLY = 12
const SEEN_EVERY_MS = 5_000

/** Runs rounds until it is stopped: at once when signalled, else when something is due, else every so often. */
export class Worker {
  readonly #options: WorkerOptions
  readonly activity: WorkerActivity = {
    state: 'stopped',
    currentItem: undefined,
    done: 0,
    total: 0,
    problem: undefined,
  }
  #stop: AbortController | undefined
  #running: Promise<void> | undefined
  #wake: (() => void) | undefined
  #signalled = false
  #shownAt = 0
  #failures = 0
  /** Until then nobody tries by himself, since 1970. */
  #leftAloneUntil = 0
  #roundWorks = true
  /** As last read: settings cannot be read while the storage is down. */
  #restMs = 1_000

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  get isStarted(): boolean {
    return this.#running !== undefined
  }

  start(): void {
    if (this.#running) return
    const stop = new AbortController()
    this.#stop = stop
    this.#running = this.#run(stop.signal).finally(() => {
      this.#running = undefined
    })
  }

  /** Ends after the call under way has been cancelled and its item given back. */
  async stop(): Promise<void> {
    this.#stop?.abort()
    this.#wake?.()
    await this.#running
  }

  /** There is something to do. */
  signal(): void {
    this.#signalled = true
    this.#wake?.()
  }

  /** Somebody wants it tried again, also what was left alone. */
  resume(): void {
    this.#leftAloneUntil = 0
    this.signal()
  }

  /** One round after the other until there is nothing left to do now. Returns what became of the items. */
  async drain(signal: AbortSignal): Promise<Drained> {
    const [done, failed] = [new Set<string>(), new Set<string>()]
    for (let more = true; more && !signal.aborted; ) {
      const result = await this.#round(signal)
      for (const item of result?.failed ?? []) failed.add(item)
      for (const item of result?.done ?? []) {
        done.add(item)
        failed.delete(item)
      }
      more = result !== undefined && broughtOn(result)
    }
    await this.#show('stopped')
    return { done: done.size, failed: failed.size }
  }

  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      // Whatever is signalled from here on may have come too late for this round, and earns the next one.
      this.#signalled = false
      if (this.#leftAloneUntil > this.#options.clock().getTime()) {
        await this.#rest(new Date(this.#leftAloneUntil), stop)
        continue
      }
      const result = await this.#round(stop)
      if (stop.aborted) break
      if (result && broughtOn(result)) continue
      await this.#show(result ? 'idle' : 'stopped')
      await this.#rest(result?.nextDue, stop)
    }
    await this.#show('stopped')
  }

  /** Undefined while it is switched off. */
  async #round(signal: AbortSignal): Promise<RoundResult | undefined> {
    const { enabled, round, onTrouble } = this.#options
    try {
      Object.assign(this.activity, { done: 0, total: 0, currentItem: undefined })
      const progress = (change: Parameters<Round['progress']>[0]) => this.#progress(change)
      const afterTrouble = this.#failures > 0
      const result = (await enabled()) ? await round({ signal, afterTrouble, progress }) : undefined
      this.#roundWorks = true
      this.activity.problem = result?.trouble && problemText(result.trouble)
      this.#failures = result?.troubled ? this.#failures + 1 : 0
      this.#leftAloneUntil = result?.costly ? this.#afterPause(DOUBLED_COSTLY).getTime() : 0
      return result?.troubled ? { ...result, nextDue: this.#afterPause() } : result
    } catch (error) {
      if (signal.aborted) return NOTHING
      // The storage is down or busy, the disk is full, there is a defect: say so, rest, try again. A worker never dies of it.
      onTrouble(error)
      this.#roundWorks = false
      this.activity.problem = problemText(error)
      this.#failures++
      return { ...NOTHING, troubled: true, nextDue: this.#afterPause() }
    }
  }

  #afterPause(doubled = DOUBLED): Date {
    return new Date(this.#options.clock().getTime() + 1_000 * 2 ** Math.min(this.#failures - 1, doubled))
  }

  #progress(change: Parameters<Round['progress']>[0]): void {
    Object.assign(this.activity, change)
    if (Date.now() - this.#shownAt >= SHOWN_EVERY_MS || this.activity.state !== 'running') {
      void this.#show('running')
    }
  }

  async #show(state: WorkerState): Promise<void> {
    this.#shownAt = Date.now()
    this.activity.state = state
    if (state !== 'running') this.activity.currentItem = undefined
    try {
      await this.#tellOthers(state)
      // A round may get by with reading; only now it is known that the storage can be written, too.
      if (this.#roundWorks) this.#options.onTrouble()
    } catch (error) {
      // Others look at it now and then, and see that they hear nothing. Whoever has stopped waits for nothing.
      if (state !== 'stopped') this.#options.onTrouble(error)
    }
  }

  /** Lets other processes see what this worker does. */
  async #tellOthers(state: WorkerState): Promise<void> {
    const { name, owner, storage, person, clock } = this.#options
    const { currentItem, done, total, problem } = this.activity
    const row = {
      person: person.id,
      worker: name,
      owner,
      state,
      current_item: currentItem ?? null,
      done,
      total,
      problem: problem === undefined ? null : redact(problem),
      seen_at: clock().getTime(),
    }
    if (state === 'stopped') {
      await storage.db
        .deleteFrom('conversation_workers')
        .where('worker', '=', name)
        .where('owner', '=', owner)
        .execute()
      return
    }
    await storage.db
      .insertInto('conversation_workers')
      .values(row)
      .onConflict((conflict) => conflict.columns(['worker', 'owner']).doUpdateSet(row))
      .execute()
  }

  async #rest(nextDue: Date | undefined, stop: AbortSignal): Promise<void> {
    if (this.#signalled || stop.aborted) return
    const { clock, restSeconds } = this.#options
    this.#restMs = await restSeconds().then(
      (seconds) => seconds * 1_000,
      () => this.#restMs,
    )
    const until = nextDue ? Math.max(50, nextDue.getTime() - clock().getTime()) : this.#restMs
    const seen = setInterval(() => {
      if (this.activity.state === 'idle') void this.#show('idle')
    }, SEEN_EVERY_MS)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(this.#restMs, until))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#signalled || stop.aborted) this.#wake()
    })
    clearInterval(seen)
    this.#wake = undefined
  }
}

function problemText(error: unknown): string {
  const hint = isRalphError(error) && error.hint ? ` → ${error.hint}` : ''
  return messageOf(error) + hint
}

/** Whether there may be more to do at once. */
function broughtOn({ done, failed, troubled }: RoundResult): boolean {
  return done.length + failed.length > 0 && !troubled
}
