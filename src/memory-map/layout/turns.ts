import { setImmediate as nextTurn } from 'node:timers/promises'
import { throwIfAborted } from '../../errors.ts'

/** So long may one piece of work keep everybody else waiting. */
const TURN_MS = 10

/** Long arithmetic in small pieces, so that whoever else is to be answered is answered in between. */
export class Turns {
  readonly #signal: AbortSignal | undefined
  #began = performance.now()

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS
  }

  async next(): Promise<void> {
    await nextTurn()
    throwIfAborted(this.#signal)
    this.#began = performance.now()
  }
}
