import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withinTime } from '../../deferred.ts'
import { Lookout, type WatchedSource } from './lookout.ts'
import type { Part } from './part.ts'

/** What has changed, and the position to go on from. Absent parts: anything may have changed; none: nothing has yet. */
export interface Change {
  position: string
  parts?: Part[]
}

export interface ChangesOptions {
  sources: readonly WatchedSource[]
  /** Between two changes that are told; what happens meanwhile is told together. */
  restMs: number
}

/** A database that hangs keeps nobody waiting for a position. */
const LONGEST_FIRST_LOOK_MS = 300

/**
 * What has changed since when, for any number of pages. While nobody listens nothing is watched and nothing is asked; what
 * has changed by the time that somebody comes back is told then.
 */
export class Changes {
  readonly #options: ChangesOptions
  readonly #lookouts: readonly Lookout[]
  /** Positions of another process mean nothing here. */
  readonly #epoch = randomBytes(6).toString('hex')
  readonly #changedAt = new Map<Part, number>()
  readonly #closing = new AbortController()
  #sequence = 0
  #listeners = 0
  #next = Promise.withResolvers<void>()

  constructor(options: ChangesOptions) {
    this.#options = options
    this.#lookouts = options.sources.map((source) => new Lookout(source, (parts) => this.#note(parts)))
  }

  /** Where we are: whatever changes from now on comes after it. */
  async position(): Promise<string> {
    const looks = this.#lookouts.map(async (lookout) => {
      const look = lookout.look().then(() => true)
      if (!(await withinTime(look, LONGEST_FIRST_LOOK_MS))) lookout.goOnWithout()
    })
    await Promise.all(looks)
    return this.#position()
  }

  /**
   * What changes after the position, until the signal or `close` ends it. Says first where we are and what has changed by
   * now: anything may have after a position that is not known here.
   */
  async *after(position: string | undefined, signal: AbortSignal): AsyncGenerator<Change> {
    const ended = AbortSignal.any([signal, this.#closing.signal])
    const end = new Promise<void>((resolve) =>
      ended.addEventListener('abort', () => resolve(), { once: true }),
    )
    this.#listen(+1)
    try {
      const known = position === undefined ? this.#sequence : this.#sequenceOf(position)
      let seen = this.#sequence
      yield { position: this.#position(), ...(known !== undefined && { parts: this.#since(known) }) }
      while (!ended.aborted) {
        const next = this.#next.promise
        const parts = this.#since(seen)
        if (parts.length === 0) {
          await Promise.race([next, end])
          continue
        }
        seen = this.#sequence
        yield { position: this.#position(), parts }
        await sleep(this.#options.restMs, undefined, { signal: ended, ref: false }).catch(() => undefined)
      }
    } finally {
      this.#listen(-1)
    }
  }

  close(): void {
    this.#closing.abort()
    for (const lookout of this.#lookouts) lookout.stop()
  }

  #note(parts: readonly Part[]): void {
    this.#sequence++
    for (const part of parts) this.#changedAt.set(part, this.#sequence)
    this.#next.resolve()
    this.#next = Promise.withResolvers<void>()
  }

  #since(sequence: number): Part[] {
    return [...this.#changedAt].filter(([, at]) => at > sequence).map(([part]) => part)
  }

  #position(): string {
    return `${this.#epoch}-${this.#sequence}`
  }

  #sequenceOf(position: string): number | undefined {
    const [epoch, sequence] = position.split('-')
    return epoch === this.#epoch && /^\d+$/.test(sequence ?? '') ? Number(sequence) : undefined
  }

  #listen(change: 1 | -1): void {
    this.#listeners += change
    if (this.#closing.signal.aborted) return
    for (const lookout of this.#lookouts) {
      if (this.#listeners > 0) lookout.start()
      else lookout.stop()
    }
  }
}
