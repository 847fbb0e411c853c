/** Work that follows from an iteration but must neither hold up nor break the next one. One piece at a time, in order. */
export class Background {
  readonly #onError: (error: unknown) => void
  #tail: Promise<void> = Promise.resolve()

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  add(work: () => Promise<void>): void {
    this.#tail = this.#tail.then(work).catch(this.#onError)
  }

  /** When everything added so far is done. */
  settled(): Promise<void> {
    return this.#tail
  }
}
