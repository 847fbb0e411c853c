import type { CallCost } from '../services/paid-calls.ts'
import { tokensAtMost } from '../text/token-bound.ts'
import type { ModelUsage } from './language-model.ts'
import { costOf, type Price, type TokenCounts, worstCostOf } from './prices.ts'
import { promptText, promptTokens } from './prompt-text.ts'
import type { AskedModel } from './remote.ts'

/** What an answer to a request costs: at the most, as the service says, or as it has to be estimated. */
export class AnswerCosts {
  readonly #asked: AskedModel
  readonly #price: Price | undefined

  constructor(asked: AskedModel, price: Price | undefined) {
    this.#asked = asked
    this.#price = price
  }

  get worstUsd(): number | undefined {
    const { request } = this.#asked
    return this.#price && worstCostOf(this.#price, promptText(request), request.maxTokens)
  }

  of(tokens: TokenCounts): CallCost {
    return this.#cost(tokens, false)
  }

  /** On the high side, of what was seen of it: what was not, may be as long as it was allowed to be. */
  estimate(seen: string): CallCost {
    const { request, limits } = this.#asked
    const written = tokensAtMost(seen)
    const isAllSeen = limits.thinks === false && seen !== ''
    const output = isAllSeen ? written : Math.max(written, request.maxTokens)
    return this.#cost({ input: promptTokens(request), output }, true)
  }

  #cost(tokens: TokenCounts, isEstimate: boolean): CallCost {
    return {
      inputTokens: tokens.input + (tokens.cacheRead ?? 0) + (tokens.cacheWrite ?? 0),
      outputTokens: tokens.output,
      ...(this.#price && { costUsd: costOf(this.#price, tokens) }),
      isEstimate,
    }
  }
}

export function toUsage({ isEstimate, costUsd, ...tokens }: CallCost): ModelUsage {
  return { ...tokens, ...(costUsd !== undefined && { costUsd }), ...(isEstimate && { isEstimate }) }
}
