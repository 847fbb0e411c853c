import type { LongWork } from '../notices.ts'
import type { Output } from './output.ts'

/** Work that is over sooner is not worth a line. */
const WORTH_A_LINE_MS = 2_000

/** Long work on the way to an answer: a moving line on a terminal, elsewhere a line when it lasts and one when it ends. */
export class WorkView {
  readonly #out: Pick<Output, 'progress' | 'talk'>
  readonly #isTerminal: boolean
  readonly #underWay = new Map<string, { timer: NodeJS.Timeout; said: boolean; began: number }>()

  constructor(out: Pick<Output, 'progress' | 'talk'>, isTerminal: boolean) {
    this.#out = out
    this.#isTerminal = isTerminal
  }

  readonly show = (work: LongWork): void => {
    if (this.#isTerminal) this.#out.progress(work.ended ? '' : lineOf(work))
    else if (work.ended) this.#end(work)
    else if (!this.#underWay.has(work.key)) this.#begin(work)
  }

  #begin(work: LongWork): void {
    const state = {
      said: false,
      began: performance.now(),
      timer: setTimeout(() => say(), WORTH_A_LINE_MS).unref(),
    }
    const say = () => {
      state.said = true
      this.#out.talk(`${lineOf(work)} …`)
    }
    this.#underWay.set(work.key, state)
  }

  #end(work: LongWork): void {
    const state = this.#underWay.get(work.key)
    this.#underWay.delete(work.key)
    if (!state) return
    clearTimeout(state.timer)
    const seconds = Math.round((performance.now() - state.began) / 1_000)
    if (state.said) this.#out.talk(`${lineOf(work)}, after ${seconds} s`)
  }
}

function lineOf({ what, done, total }: LongWork): string {
  const of = total === undefined ? '' : ` of ${total}`
  return `${what}: ${done}${of}`
}
