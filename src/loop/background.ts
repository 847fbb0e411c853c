import { withinTime } from '../deferred.ts'

/**
 * Work that follows from an iteration but must neither hold up nor break the next one. One piece at a time, in order.
 * `add` begins at once; `addLater` waits until there is time, which is while the agent works.
 */
export class Background {
  readonly #onError: (error: unknown) => void
  #tail: Promise<void> = Promise.resolve()
  #later: (() => Promise<void>)[] = []

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  add(work: () => Promise<void>): void {
    this.#tail = this.#tail.then(work).catch(this.#onError)
  }

  addLater(work: () => Promise<void>): void {
    this.#later.push(work)
  }

  /** There is time now. */
  release(): void {
    for (const work of this.#later.splice(0)) this.add(work)
  }

  /** Waits for what has begun, but not long. */
  async settledSoon(patienceMs: number): Promise<void> {
    await withinTime(this.#tail, patienceMs)
  }

  /** When everything is done, also what was for later. */
  settled(): Promise<void> {
    this.release()
    return this.#tail
  }
}
