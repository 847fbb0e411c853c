/** More than anybody decides by hand, less than a program in a loop. */
const BURST = 60
const PER_SECOND = 4

/** Says when one may write again: a bucket that fills up by itself. */
export class WriteLimit {
  readonly #now: () => number
  #left = BURST
  #filledAt: number

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#filledAt = now()
  }

  /** Takes one; if there is none, how many seconds to wait. */
  take(): { waitSeconds: number } | undefined {
    const now = this.#now()
    this.#left = Math.min(BURST, this.#left + ((now - this.#filledAt) / 1_000) * PER_SECOND)
    this.#filledAt = now
    if (this.#left < 1) return { waitSeconds: Math.ceil((1 - this.#left) / PER_SECOND) }
    this.#left -= 1
    return undefined
  }
}
