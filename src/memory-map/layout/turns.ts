import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long may one piece of work keep everybody else waiting. */
const TURN_MS = 10

/** Long arithmetic in small pieces, so that whoever else is to be answered is answered in between. */
export class Turns {
  #began = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS
  }

  async next(): Promise<void> {
    await nextTurn()
    this.#began = performance.now()
  }
}
