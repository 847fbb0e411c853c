import { calibrated } from '../embedding/calibration.ts'
import type { Calibration } from '../embedding/embedder.ts'
import type { Evidence } from '../search-index/query.ts'
import type { Payload } from '../search-index/search-index.ts'
import { type ChanceTable, chanceAmong } from './chance.ts'

export interface FusionOptions {
  /** The embedder's; empty when there was none, then words alone count. */
  calibration: Calibration
  limit: number
  /** Weaker hits are left out: no answer is better than a wrong one. */
  minScore: number
  /**
   * The score that chance reaches in collections of such documents, where it was measured: no more than that is no more than
   * possibly relevant. Of words alone it was not.
   */
  chance?: ChanceTable
}

export interface Hit {
  id: string
  payload: Payload
  /** 0 to 1; means the same precision with every embedder. */
  score: number
  /** Why it was found. */
  matched: readonly ('meaning' | 'words')[]
}

/**
 * A hit that shares a word or two with the question is mostly chance: plain rank fusion lets such hits push the right
 * answer to a paraphrase off the first place. So a word hit counts as far as it covers what the question asks for: up to
 * the first coverage nothing, from the second on in full.
 */
const EARNED = [0.25, 0.75] as const

/** What the best word hit is worth when it has all the question's words and meaning knows nothing. */
const TRUST_IN_WORDS = 0.8
/** Below this a kind of evidence is no reason for a hit. */
const REASON = 0.2
/** Possibly relevant, as shown at the least (docs/library.md). */
const BARELY = 0.4
/** From here on a score is right as often as it says, however many documents there are. */
const SURE = 0.7

/**
 * Ranks short texts, such as turns of a conversation, by the chance that meaning or words are right:
 * score = 1 − (1 − meaning)(1 − words). Notes and solutions are ranked by `ranking.ts`.
 */
export function fuse(evidence: readonly Evidence[], options: FusionOptions): Hit[] {
  const { calibration, limit, minScore, chance } = options
  const strongest = evidence.reduce((highest, { bm25 }) => Math.max(highest, bm25), 0)
  const hits = evidence.map((one) => {
    const meaning = one.cosine === undefined ? 0 : calibrated(one.cosine, calibration)
    const words = strongest === 0 ? 0 : TRUST_IN_WORDS * (one.bm25 / strongest) * earned(one.coverage)
    const likely = 1 - (1 - meaning) * (1 - words)
    const score = chance && calibration.length > 0 ? beyond(chanceAmong(one.among, chance), likely) : likely
    return { id: one.id, payload: one.payload, score, matched: reasons(meaning, words) }
  })
  return strongestFirst(hits, { limit, minScore })
}

/** The best first, weak ones left out. */
export function strongestFirst(
  hits: readonly Hit[],
  { limit, minScore }: Pick<FusionOptions, 'limit' | 'minScore'>,
): Hit[] {
  return hits
    .map((hit) => ({ ...hit, score: rounded(hit.score) }))
    .filter(({ score }) => score >= minScore && score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

/** Among many documents chance alone comes closer: the same score says less, until it is sure. */
function beyond(chance: number, score: number): number {
  return calibrated(score, [
    [0, 0],
    [chance, BARELY],
    [SURE, SURE],
    [1, 1],
  ])
}

/** Digits beyond these are noise of the driver's arithmetic, and must not decide between equals. */
function rounded(score: number): number {
  return Math.round(score * 1e4) / 1e4
}

function earned(coverage: number): number {
  const [from, full] = EARNED
  return Math.min(1, Math.max(0, (coverage - from) / (full - from)))
}

export function reasons(meaning: number, words: number): Hit['matched'] {
  const matched: ('meaning' | 'words')[] = []
  if (meaning >= REASON || meaning >= words) matched.push('meaning')
  if (words >= REASON || words > meaning) matched.push('words')
  return matched
}
