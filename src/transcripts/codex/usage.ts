import { asObject } from '../../text/json.ts'
import type { TokenUsage } from '../agent-run.ts'
import { tokenCount } from '../token-count.ts'

/** Codex counts what came from the cache, and what went into it, as input too. */
export function threadUsage(value: unknown): TokenUsage | undefined {
  const usage = asObject(value)
  if (!usage) return undefined
  const count = (name: string) => tokenCount(usage[name])
  const cacheRead = count('cached_input_tokens')
  const cacheWrite = count('cache_write_input_tokens')
  return {
    input: Math.max(0, count('input_tokens') - cacheRead - cacheWrite),
    output: count('output_tokens'),
    cacheRead,
    cacheWrite,
  }
}

/** Takes the running totals of a thread apart: what each response used. */
export class RunningTotals {
  #last: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

  /** What has been added since; undefined when the same is told again. */
  take(total: TokenUsage): TokenUsage | undefined {
    const before = this.#last
    this.#last = total
    const names = ['input', 'output', 'cacheRead', 'cacheWrite'] as const
    // A full context window sets the count back to nothing: what comes then is new.
    const since = names.some((name) => total[name] < before[name]) ? undefined : before
    const added: TokenUsage = { ...total }
    for (const name of names) added[name] -= since?.[name] ?? 0
    return names.some((name) => added[name] > 0) ? added : undefined
  }
}
