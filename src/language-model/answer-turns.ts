import { RalphError, throwIfAborted } from '../errors.ts'

/** Lets in as many at a time as a service answers at once. The others wait outside, where none of their limits runs. */
export class AnswerTurns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** `first`: somebody watches, and goes before those who have time. */
  async take<Result>(
    work: () => Promise<Result>,
    {
      first = false,
      signal,
      onWaiting,
    }: { first?: boolean; signal?: AbortSignal | undefined; onWaiting?: () => void } = {},
  ): Promise<Result> {
    throwIfAborted(signal)
    if (this.#free > 0) this.#free--
    else {
      onWaiting?.()
      await this.#turn(first, signal)
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  #turn(first: boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(new RalphError('cancelled', 'cancelled', { cause: signal?.reason }))
      }
      if (first) this.#waiting.unshift(enter)
      else this.#waiting.push(enter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
