import type { ToolCall } from './agent-run.ts'
import { excerpt } from './excerpt.ts'
import type { CollectLimits } from './limits.ts'

/** The newest calls keep their outputs longest: how a run ended matters most. */
const UNTOUCHED = 100
const SHORT_SUCCESS = { head: 0, tail: 2_000 }
const SHORT_FAILURE = { head: 1_000, tail: 3_000 }

/** The tool calls of a run in order, thinned out when they grow beyond the limits. */
export class HeldCalls {
  readonly #limits: CollectLimits
  #calls: ToolCall[] = []
  #outputTotal = 0

  constructor(limits: CollectLimits) {
    this.#limits = limits
  }

  get all(): ToolCall[] {
    return this.#calls
  }

  add(call: ToolCall): void {
    this.#calls.push(call)
    if (this.#calls.length > this.#limits.toolCalls) this.#thinOut()
  }

  /** To be told after a call has got its output. */
  outputKept(call: ToolCall): void {
    this.#outputTotal += call.output.length
    if (this.#outputTotal > this.#limits.outputTotal) this.#shorten()
  }

  /** Brings the outputs to half the limit, so that this happens seldom. */
  #shorten(): void {
    const target = this.#limits.outputTotal / 2
    const older = this.#calls.slice(0, -UNTOUCHED)
    const steps: ((call: ToolCall) => string)[] = [
      (call) => (call.status === 'failed' ? call.output : excerpt(call.output, SHORT_SUCCESS)),
      (call) => (call.status === 'failed' ? excerpt(call.output, SHORT_FAILURE) : ''),
    ]
    for (const step of steps) {
      for (const call of older) call.output = step(call)
      if (this.#measure() <= target) return
    }
    for (const call of this.#calls) {
      if (this.#outputTotal <= target) return
      this.#outputTotal -= call.output.length
      call.output = ''
    }
  }

  #measure(): number {
    this.#outputTotal = this.#calls.reduce((total, call) => total + call.output.length, 0)
    return this.#outputTotal
  }

  /** A call that did nothing to a file, or that a later one repeats, tells nothing; then the oldest go. */
  #thinOut(): void {
    const seen = new Set<string>()
    const telling = this.#calls
      .toReversed()
      .filter((call) => {
        if (call.status !== 'ok') return true
        if (call.kind === 'other') return false
        const key = `${call.kind} ${call.creates} ${call.paths.join(' ')} ${call.command} ${call.output.length}`
        if (seen.has(key)) return false
        seen.add(key)
        return true
      })
      .toReversed()
    this.#calls = telling.slice(-Math.floor(this.#limits.toolCalls / 2))
    this.#measure()
  }
}
