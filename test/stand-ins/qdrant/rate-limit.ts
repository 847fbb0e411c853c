import type { Condition, Filter, Query } from './api.ts'
import { Refusal } from './refusal.ts'

/** Qdrant's bucket: so many tokens a minute, full at first, filled up by and by. */
export class RateLimit {
  readonly #kind: 'Read' | 'Write'
  readonly #perMinute: number
  #tokens: number
  #at = performance.now()

  constructor(kind: 'Read' | 'Write', perMinute: number) {
    this.#kind = kind
    this.#perMinute = perMinute
    this.#tokens = perMinute
  }

  take(cost: number): void {
    if (cost > this.#perMinute) {
      const split = 'request larger than rate limiter capacity, please try to split your request'
      throw new Refusal(429, `Rate limiting exceeded: ${this.#kind} rate limit exceeded, ${split}`)
    }
    const perSecond = this.#perMinute / 60
    const now = performance.now()
    this.#tokens = Math.min(this.#perMinute, this.#tokens + (perSecond * (now - this.#at)) / 1_000)
    this.#at = now
    if (this.#tokens < cost) {
      const seconds = Math.ceil((cost - this.#tokens) / perSecond)
      const said = `Operation requires ${cost} tokens but only ${this.#tokens.toFixed(1)} were available`
      throw new Refusal(
        429,
        `Rate limiting exceeded: ${this.#kind} rate limit exceeded: ${said}. Retry after ${seconds}s`,
        {
          'retry-after': String(seconds),
        },
      )
    }
    this.#tokens -= cost
  }
}

/** A search is one, 64 words of it are one, each condition is one; what is found by `prefetch` is looked at again for nothing. */
export function queryCost({ prefetch = [], query, filter }: Query): number {
  if (prefetch.length > 0) return prefetch.reduce((sum, one) => sum + queryCost(one), 0)
  const words = query === undefined || Array.isArray(query) ? 1 : query.indices.length
  return Math.ceil(words / 64) + conditionsOf(filter)
}

export function conditionsOf(filter: Filter | undefined): number {
  const all: Condition[] = [...(filter?.must ?? []), ...(filter?.must_not ?? []), ...(filter?.should ?? [])]
  return all.reduce((sum, one) => sum + ('key' in one || 'has_id' in one ? 1 : conditionsOf(one)), 0)
}
