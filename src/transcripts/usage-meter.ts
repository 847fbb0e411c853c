import { type TokenUsage, tokensIn } from './agent-run.ts'
import type { ResultEvent } from './events.ts'

/** Responses whose figures may still change; the lines of one response come close together. */
const OPEN_RESPONSES = 256
/** Costs are sums of small fractions: below this a difference is rounding. */
const ROUNDING = 1e-9

/** Adds up what a run used from whichever account is the most reliable: totals, turns, or single responses. */
export class UsageMeter {
  #settled: TokenUsage | undefined
  readonly #open = new Map<string, TokenUsage>()
  #totals: TokenUsage | undefined
  #totalCost: number | undefined
  #turns: TokenUsage | undefined
  /** What earlier runs of a resumed session had used before this one began. */
  #carriedUsage: TokenUsage | undefined
  #carriedCost = 0

  response(id: string, usage: TokenUsage): void {
    this.#open.set(id, usage)
    if (this.#open.size <= OPEN_RESPONSES) return
    const [oldest, final] = this.#open.entries().next().value!
    this.#open.delete(oldest)
    this.#settled = plus(this.#settled, final)
  }

  sessionTotals(costUsd: number | undefined, usage: TokenUsage | undefined): void {
    this.#totalCost = costUsd ?? this.#totalCost
    this.#totals = usage ?? this.#totals
  }

  /** What had been used when the part that is asked about began. */
  before(costUsd: number | undefined, usage: TokenUsage | undefined): void {
    this.#carriedCost = costUsd ?? this.#carriedCost
    this.#carriedUsage = usage ?? this.#carriedUsage
  }

  result(result: ResultEvent, first: boolean): void {
    // Totals run on over resumed sessions and over the results of one run: the last one counts, less what came before.
    if (first && result.totalUsage && result.recentUsage) {
      this.#carriedUsage = minus(result.totalUsage, result.recentUsage)
    }
    if (first && result.totalCostUsd !== undefined && result.recentCostUsd !== undefined) {
      const carried = result.totalCostUsd - result.recentCostUsd
      this.#carriedCost = carried > ROUNDING ? carried : 0
    }
    this.sessionTotals(result.totalCostUsd, result.totalUsage)
    if (result.turnUsage) this.#turns = plus(this.#turns, result.turnUsage)
  }

  usage(): TokenUsage | undefined {
    if (this.#totals && tokensIn(this.#totals) > 0) return minus(this.#totals, this.#carriedUsage)
    return this.#turns ?? [...this.#open.values()].reduce(plus, this.#settled)
  }

  costUsd(): number | undefined {
    return this.#totalCost === undefined ? undefined : Math.max(0, this.#totalCost - this.#carriedCost)
  }
}

function plus(a: TokenUsage | undefined, b: TokenUsage): TokenUsage {
  return combine(a, b, (left, right) => left + right)
}

function minus(a: TokenUsage | undefined, b: TokenUsage | undefined): TokenUsage | undefined {
  return a && b ? combine(a, b, (left, right) => Math.max(0, left - right)) : a
}

function combine(
  a: TokenUsage | undefined,
  b: TokenUsage,
  operation: (left: number, right: number) => number,
): TokenUsage {
  return {
    input: operation(a?.input ?? 0, b.input),
    output: operation(a?.output ?? 0, b.output),
    cacheRead: operation(a?.cacheRead ?? 0, b.cacheRead),
    cacheWrite: operation(a?.cacheWrite ?? 0, b.cacheWrite),
  }
}
