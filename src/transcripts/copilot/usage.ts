import { asNumber, asObject, type JsonObject, objects } from '../../text/json.ts'
import type { TokenUsage } from '../agent-run.ts'

/** Of one call of the model. What came from the cache and went into it is part of the input; reasoning is part of the output. */
export function usageOf(usage: JsonObject): TokenUsage {
  const count = (name: string) => asNumber(usage[name]) ?? 0
  const [cacheRead, cacheWrite] = [count('cacheReadTokens'), count('cacheWriteTokens')]
  const input = Math.max(0, count('inputTokens') - cacheRead - cacheWrite)
  return { input, output: count('outputTokens'), cacheRead, cacheWrite }
}

/** Of a whole session, over its models. */
export function metricsUsage(metrics: unknown): TokenUsage | undefined {
  const models = objects(Object.values(asObject(metrics) ?? {})).map((model) => asObject(model['usage']))
  const total: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  for (const usage of models) {
    const one = usageOf(usage ?? {})
    total.input += one.input
    total.output += one.output
    total.cacheRead += one.cacheRead
    total.cacheWrite += one.cacheWrite
  }
  return models.length > 0 ? total : undefined
}
