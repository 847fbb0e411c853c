import type { Schemas } from '@qdrant/js-client-rest'

/** So many words of a question count as one. */
const WORDS_PER_TOKEN = 64

/**
 * What a search takes of a server's `read_rate_limit`, by its own reckoning: one, more for very many words, and one for each
 * condition. Looking again at what a `prefetch` found is free.
 */
function readCost({ prefetch, query, filter }: Schemas['QueryRequest']): number {
  const fetched = Array.isArray(prefetch) ? prefetch : prefetch ? [prefetch] : []
  if (fetched.length > 0) return totalCost(fetched)
  return searchCost(query) + conditionsIn(filter)
}

export function totalCost(queries: readonly Schemas['QueryRequest'][]): number {
  return queries.reduce((sum, query) => sum + readCost(query), 0)
}

function searchCost(query: Schemas['QueryRequest']['query']): number {
  const words = query instanceof Object && 'indices' in query ? (query.indices as number[]).length : 1
  return Math.max(1, Math.ceil(words / WORDS_PER_TOKEN))
}

/** Each condition, also within others. */
function conditionsIn(filter: unknown): number {
  if (!(filter instanceof Object)) return 0
  if ('key' in filter || 'has_id' in filter) return 1
  return Object.values(filter)
    .flat()
    .reduce((sum: number, one) => sum + conditionsIn(one), 0)
}
