import type { Collection, MeaningSample } from '../retrieval/collection.ts'
import type { Payload } from '../search-index/search-index.ts'
import { boardDocuments } from './board-source.ts'
import { type FindingType, RECORD_TYPES } from './finding.ts'
import { OUTCOMES, type Outcome } from './record.ts'

/** A memory in short. */
export interface MemoryNote {
  type: FindingType
  title: string
  text: string
  /** Of an iteration. */
  iterationNumber?: number
  outcome?: Outcome
  /** Of a learning. */
  learningId?: string
  timestamp?: string
}

/** What was learned and planned is little beside what was done: it is always among them. */
export async function sampleOf(collection: Collection, limit: number): Promise<MeaningSample<MemoryNote>> {
  const sample = await collection.sample(limit, boardDocuments(await collection.state()))
  const sampled = sample.sampled.map(({ id, vector, payload }) => ({ id, vector, ...noteOf(payload) }))
  return { ...sample, sampled }
}

/** Without reading the whole record: there are many, and little of each is wanted. */
function noteOf(payload: Payload): MemoryNote {
  const text = (field: string) => (typeof payload[field] === 'string' ? payload[field] : '')
  const timestamp = payload['timestamp']
  const when = typeof timestamp === 'string' ? { timestamp } : {}
  switch (payload['record_type']) {
    case RECORD_TYPES.learning:
      return { type: 'learning', title: '', text: text('text'), learningId: text('id'), ...when }
    case RECORD_TYPES.feature:
      return { type: 'feature', title: '', text: text('text') }
    default: {
      const outcome = OUTCOMES.find((known) => known === payload['outcome'])
      return {
        type: 'iteration',
        title: text('task_title'),
        text: text('summary'),
        iterationNumber: Number(payload['iteration_number']),
        ...(outcome && { outcome }),
        ...when,
      }
    }
  }
}
