import type { Payload } from '../search-index/search-index.ts'
import { camelKeys, snakeKeys } from '../text/case.ts'
import { embeddingText, type IterationRecord, parseRecord } from './record.ts'

/** Fields of the payload that a search may filter by. */
export const FEATURE_FILTERS = [
  'record_type',
  'outcome',
  'task_id',
  'timestamp',
  'files',
  'iteration_number',
] as const

/** What embedded which text into this document's vector: a change of either means embedding again. */
export interface EmbeddingProvenance {
  embeddingModel: string
  embeddingHash: string
}

/** Everything searchable and filterable about one iteration, so that a hit needs no second look-up. */
export function iterationPayload(record: IterationRecord, provenance: EmbeddingProvenance): Payload {
  const files = record.filesTouched.map(({ path }) => path)
  return { record_type: 'iteration', files, ...(snakeKeys({ ...record, ...provenance }) as Payload) }
}

export function recordOf(payload: Payload): IterationRecord {
  return parseRecord(camelKeys(payload))
}

export interface FeatureSnapshot {
  feature: string
  text: string
}

export function snapshotPayload(snapshot: FeatureSnapshot, provenance: EmbeddingProvenance): Payload {
  return { record_type: 'feature_snapshot', ...(snakeKeys({ ...snapshot, ...provenance }) as Payload) }
}

/** The words to search: what is embedded, and the names of the files, which people ask for by name. */
export function searchableText(record: IterationRecord): string {
  return [embeddingText(record), ...record.filesTouched.map(({ path }) => path)].join('\n')
}
