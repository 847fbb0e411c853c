import { RalphError } from '../errors.ts'

/** The one scale of scores, 0 to 1, that every embedder is calibrated to, and what people get unless they say otherwise. */

export const SEARCH_DEFAULTS = { limit: 20, minScore: 0.4 } as const
export const MOST_RESULTS = 1_000
/** Nobody waits longer than this for the embedder unless they chose to. */
export const PATIENCE_SECONDS = 5

export type Relevance = 'relevant' | 'possibly relevant' | 'weak'

const RELEVANT_FROM = 0.55
const POSSIBLY_RELEVANT_FROM = 0.4

export function relevanceOf(score: number): Relevance {
  if (score >= RELEVANT_FROM) return 'relevant'
  return score >= POSSIBLY_RELEVANT_FROM ? 'possibly relevant' : 'weak'
}

export function checkedQuery(query: string): string {
  const text = query.trim()
  if (text !== '') return text
  throw new RalphError('invalid_input', 'the search text is empty', {
    hint: 'Say what you look for in words, e.g. "why did the login form break"',
  })
}

export function checkedLimit(limit: number = SEARCH_DEFAULTS.limit): number {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RalphError('invalid_input', `the limit must be a whole number from 1, not ${limit}`)
  }
  return Math.min(limit, MOST_RESULTS)
}

export function checkedMinScore(minScore: number = SEARCH_DEFAULTS.minScore): number {
  if (minScore >= 0 && minScore <= 1) return minScore
  throw new RalphError('invalid_input', `the minimum score must lie between 0 and 1, not ${minScore}`)
}
