import { calibrated } from '../embedding/calibration.ts'
import type { Calibration } from '../embedding/embedder.ts'
import type { Evidence, Payload } from './search-index.ts'

export interface FusionOptions {
  calibration: Calibration
  limit: number
  minScore: number
}

export interface FusedHit {
  id: string
  payload: Payload
  score: number
  matched: ('meaning' | 'words')[]
}

/** A word hit must cover this share of the query's IDF mass before it has a say. */
const COVERAGE_TO_VOTE = 0.5

/** Ranks candidates by the better of meaning and words; a word hit must earn its vote. */
export function fuse(evidence: readonly Evidence[], { calibration, limit, minScore }: FusionOptions): FusedHit[] {
  return evidence
    .map(({ id, payload, cosine, coverage }) => {
      const meaning = cosine === undefined ? 0 : calibrated(cosine, calibration)
      const words = coverage >= COVERAGE_TO_VOTE ? coverage * 0.8 : 0
      const matched: FusedHit['matched'] = [...(meaning >= minScore ? (['meaning'] as const) : []), ...(words > 0 ? (['words'] as const) : [])]
      return { id, payload, score: Math.min(1, Math.max(meaning, words) + 0.2 * Math.min(meaning, words)), matched }
    })
    .filter(({ score }) => score >= minScore && score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}
