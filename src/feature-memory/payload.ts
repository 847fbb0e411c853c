import type { Payload } from '../search-index/search-index.ts'
import { snakeKeys } from '../text/case.ts'
import { type IterationRecord, shownOf } from './record.ts'

/** Fields of the payload that a search may filter by. */
export const FEATURE_FILTERS = [
  'record_type',
  'outcome',
  'task_id',
  'timestamp',
  'files',
  'iteration_number',
] as const
export const FEATURE_FILTER_TYPES = {
  task_id: 'number',
  timestamp: 'time',
  iteration_number: 'number',
} as const

/** What embedded which text into this document's vector: a change of either means embedding again. */
export interface EmbeddingProvenance {
  embeddingModel: string
  embeddingHash: string
}

/** Everything that is known of an iteration and that it is filtered by, and where its line begins, which is what is shown. */
export function iterationPayload(
  record: IterationRecord,
  provenance: EmbeddingProvenance & { journalOffset?: number | undefined },
): Payload {
  const files = record.filesTouched.map(({ path }) => path)
  return { record_type: 'iteration', files, ...(snakeKeys({ ...shownOf(record), ...provenance }) as Payload) }
}

export interface FeatureSnapshot {
  feature: string
  text: string
}

export function snapshotPayload(snapshot: FeatureSnapshot, provenance: EmbeddingProvenance): Payload {
  return { record_type: 'feature_snapshot', ...(snakeKeys({ ...snapshot, ...provenance }) as Payload) }
}
