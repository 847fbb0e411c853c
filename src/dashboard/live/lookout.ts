import { FolderWatches, type WatchedFolder } from './folder-watches.ts'
import type { Marks, Part } from './part.ts'

export interface WatchedSource {
  /** Never throws: what cannot be seen has a mark that says so. */
  look: () => Promise<Marks>
  /** Where the system tells of changes, so that nobody waits for the next look. */
  folders: readonly WatchedFolder[]
  /** From one look to the next while nothing is heard. */
  everyMs: number
  /** Never sooner than this after the last one. */
  restMs: number
}

/** Looks at one source, now and then and when it hears something, and tells what has become different. */
export class Lookout {
  readonly #source: WatchedSource
  readonly #tell: (parts: readonly Part[]) => void
  readonly #watches: FolderWatches
  #known: Marks | undefined
  #looking: Promise<void> | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #running = false
  #late = false

  constructor(source: WatchedSource, tell: (parts: readonly Part[]) => void) {
    this.#source = source
    this.#tell = tell
    this.#watches = new FolderWatches(source.folders, () => this.#within(this.#source.restMs))
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#watches.renew()
    this.#within(0)
  }

  stop(): void {
    this.#running = false
    this.#watches.close()
    clearTimeout(this.#timer)
    this.#dueAt = Number.POSITIVE_INFINITY
  }

  /** One look, shared by all who ask meanwhile. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** Somebody goes on without having waited for the first look: what it shows may be news. */
  goOnWithout(): void {
    this.#late = true
  }

  async #look(): Promise<void> {
    const now = await this.#source.look()
    this.#lookedAt = performance.now()
    const before = this.#known ?? (this.#late ? new Map() : now)
    this.#known = now
    const parts = new Set([...before.keys(), ...now.keys()])
    const changed = [...parts].filter((part) => before.get(part) !== now.get(part))
    if (changed.length > 0) this.#tell(changed)
  }

  /** Looks after this long at the latest, but lets the source rest. */
  #within(milliseconds: number): void {
    if (!this.#running) return
    const now = performance.now()
    const dueAt = Math.max(now + milliseconds, this.#lookedAt + this.#source.restMs)
    if (dueAt >= this.#dueAt) return
    this.#dueAt = dueAt
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#round(), dueAt - now).unref()
  }

  async #round(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY
    await this.look()
    if (!this.#running) return // everybody has left meanwhile
    this.#watches.renew()
    this.#within(this.#source.everyMs)
  }
}
