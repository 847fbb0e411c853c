import type { TokenUsage } from '../agent-run.ts'

/** As Gemini's API counts: the input with what came from its cache, thoughts in the total only. */
export interface CountedTokens {
  input: number | undefined
  output: number | undefined
  cached: number | undefined
  total: number | undefined
}

/** Thoughts are paid for like the rest of the output. */
export function tokenUsage({ input = 0, output = 0, cached = 0, total = 0 }: CountedTokens): TokenUsage {
  return {
    input: Math.max(0, input - cached),
    output: Math.max(output, total - input),
    cacheRead: cached,
    cacheWrite: 0,
  }
}
