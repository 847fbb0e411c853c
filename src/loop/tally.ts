import type { Outcome } from '../feature-memory/record.ts'
import { plural } from '../text/plural.ts'
import { isTransient } from './agent/trouble.ts'
import type { LoopSummary, StopCause } from './events.ts'
import type { FinishedIteration } from './iteration.ts'
import type { LoopOptions } from './parts.ts'

export interface LoopStop {
  cause: StopCause
  reason: string
}

type Limits = Pick<LoopOptions, 'maxIterations' | 'maxCost' | 'maxCostPerIteration' | 'stagnationLimit'>

/** What the loop has done and spent so far, and whether that is enough. */
export class Tally {
  readonly #limits: Limits
  readonly #outcomes: Partial<Record<Outcome, number>> = {}
  #iterations = 0
  #tokens = 0
  #cost = 0
  #costUnknown = false
  /** Iterations in a row that changed no task. */
  #unchanged = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  count({ end, record, before, after, facts }: FinishedIteration): void {
    const outcome = record?.outcome ?? 'failure'
    this.#iterations++
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1
    this.#tokens += record?.tokensUsed ?? end.activity.tokens
    const cost = record?.costUsd ?? end.activity.cost
    this.#cost += cost ?? 0
    if (cost === undefined && end.run.ending === 'completed') this.#costUnknown = true
    // An iteration that never got to work says nothing about the tasks.
    if (!facts.review && !isTransient(end)) this.#unchanged = before === after ? this.#unchanged + 1 : 0
  }

  /** Dollars the next iteration may cost. */
  get allowance(): number | undefined {
    const { maxCost, maxCostPerIteration = Number.POSITIVE_INFINITY } = this.#limits
    const left = maxCost === undefined ? Number.POSITIVE_INFINITY : maxCost - this.#cost
    const limit = Math.min(left, maxCostPerIteration)
    return Number.isFinite(limit) ? limit : undefined
  }

  get limitReached(): LoopStop | undefined {
    const { maxIterations, maxCost, stagnationLimit } = this.#limits
    if (maxIterations !== undefined && this.#iterations >= maxIterations) {
      return { cause: 'iterations', reason: `${plural(maxIterations, 'iteration')} done` }
    }
    if (maxCost !== undefined && this.#cost >= maxCost) {
      return { cause: 'cost', reason: `$${this.#cost.toFixed(2)} spent, the limit is $${maxCost.toFixed(2)}` }
    }
    if (maxCost !== undefined && this.#costUnknown) {
      return { cause: 'cost', reason: 'the agent does not tell what it costs, so the limit cannot be kept' }
    }
    if (this.#unchanged >= stagnationLimit) {
      const reason = `${plural(stagnationLimit, 'iteration')} in a row changed no task`
      return { cause: 'stagnation', reason }
    }
    return undefined
  }

  get totals(): Omit<LoopSummary, 'cause' | 'reason' | 'elapsedMs'> {
    return {
      iterations: this.#iterations,
      outcomes: this.#outcomes,
      tokens: this.#tokens,
      costUsd: this.#cost,
    }
  }
}
