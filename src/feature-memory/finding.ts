import type { Hit } from '../retrieval/fusion.ts'
import { type Relevance, relevanceOf } from '../retrieval/relevance.ts'
import type { Payload } from '../search-index/search-index.ts'
import { snakeKeys } from '../text/case.ts'
import { plural } from '../text/plural.ts'
import type { Kept } from './as-kept.ts'
import type { EmbeddingProvenance } from './payload.ts'
import type { IterationRecord } from './record.ts'

/** What a search in a feature can find: what was done, what was learned from it, what the feature itself is. */
export const FINDING_TYPES = ['iteration', 'learning', 'feature'] as const
export type FindingType = (typeof FINDING_TYPES)[number]

/** As the index calls them. */
export const RECORD_TYPES: Record<FindingType, string> = {
  iteration: 'iteration',
  learning: 'learning',
  feature: 'feature_snapshot',
}

/** One observation of the board, as far as it is worth finding. */
export interface LearningNote {
  id: string
  text: string
  reason: string
  source: string
  /** The iteration that taught it, and the task it is confined to. */
  iteration?: number | undefined
  taskId?: number | undefined
}

interface Found {
  /** 0 to 1; means the same with every embedder. */
  score: number
  relevance: Relevance
  matched: Hit['matched']
  /** How many others say nearly the same. */
  alike?: number
  /** Says nearly the same as a better one. */
  repeats?: boolean
}
export interface FoundIteration extends Found {
  type: 'iteration'
  record: IterationRecord
  age: string
}
export interface FoundLearning extends Found {
  type: 'learning'
  learning: LearningNote
}
export interface FoundFeature extends Found {
  type: 'feature'
  /** Its description, architecture, boundaries, dependencies and current state. */
  text: string
}
export type Finding = FoundIteration | FoundLearning | FoundFeature

export function findingOf({ score, matched }: Hit, kept: Kept, latest: number): Finding {
  const found: Found = { score, relevance: relevanceOf(score), matched }
  switch (kept.type) {
    case 'learning': {
      const { id, text, reason, source, iteration, taskId } = kept.learning
      return { type: 'learning', learning: { id, text, reason, source, iteration, taskId }, ...found }
    }
    case 'feature':
      return { ...kept, ...found }
    case 'iteration':
      return { ...kept, ...found, age: ageOf(kept.record, latest) }
  }
}

/** "from iteration 7, 3 iterations ago" */
function ageOf({ iterationNumber }: IterationRecord, latest: number): string {
  const ago = Math.max(0, latest - iterationNumber)
  const distance = ago === 0 ? 'the latest' : `${plural(ago, 'iteration')} ago`
  return `from iteration ${iterationNumber}, ${distance}`
}

export function learningPayload(
  note: LearningNote & { files?: readonly string[] | undefined; timestamp?: string | undefined },
  provenance: EmbeddingProvenance,
): Payload {
  return { record_type: RECORD_TYPES.learning, ...(snakeKeys({ ...note, ...provenance }) as Payload) }
}
