/** How long a model may say nothing. */
export interface SilenceLimits {
  /** Before the first part of an answer. */
  startMs: number
  /** Between two parts. */
  pauseMs: number
}

/** More than three weeks; beyond, a timer would end at once. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** Watches an answer: not how long it gets, but whether it goes on. */
export class Pulse {
  readonly #limits: SilenceLimits
  readonly #silence = new AbortController()
  #timer: NodeJS.Timeout
  #hasBegun = false

  constructor(limits: SilenceLimits) {
    this.#limits = limits
    this.#timer = this.#wait(limits.startMs)
  }

  /** How long it may be silent now. */
  get limitMs(): number {
    return this.#hasBegun ? this.#limits.pauseMs : this.#limits.startMs
  }

  /** Aborted when it has been silent for too long. */
  get signal(): AbortSignal {
    return this.#silence.signal
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Something came, if only a thought. */
  beat(): void {
    this.#hasBegun = true
    clearTimeout(this.#timer)
    this.#timer = this.#wait(this.#limits.pauseMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #wait(milliseconds: number): NodeJS.Timeout {
    const end = () => this.#silence.abort(new DOMException('silent', 'TimeoutError'))
    return setTimeout(end, Math.min(milliseconds, LONGEST_TIMER))
  }
}
