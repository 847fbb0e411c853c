import { availableParallelism } from 'node:os'
import { howQuiet, runOnce, startsQuietly } from '../../support/rounds.ts'
import type { Quiet } from '../report/figures.ts'

const STARTS = 9

/** Looks now and then whether the machine does something else: figures of one that does are worth little. */
export class Looks {
  #load = 0
  #isQuietAtFirst = true
  readonly #waits: number[] = []
  #noisy = 0

  /** Before anything is measured: the load is that of others. */
  first(): void {
    const { isQuiet, load } = this.#look()
    this.#load = load
    this.#isQuietAtFirst = isQuiet
    if (!isQuiet)
      console.log(
        `The machine is NOT quiet (load ${load.toFixed(1)}): take ratios for what holds, and run it again on a quiet one.`,
      )
  }

  /** Between two measurements: the load is our own, so only how long a bare node waits counts. */
  again(): void {
    this.#look()
  }

  summary(): Quiet {
    return {
      isQuiet: this.#isQuietAtFirst && this.#noisy === 0,
      load: this.#load,
      processors: availableParallelism(),
      waited: Math.max(...this.#waits),
      looks: this.#waits.length,
      noisyLooks: this.#noisy,
    }
  }

  #look() {
    const seen = howQuiet(Array.from({ length: STARTS }, () => runOnce(['-e', '0'])))
    this.#waits.push(seen.waited)
    if (!startsQuietly(seen)) this.#noisy++
    return seen
  }
}
