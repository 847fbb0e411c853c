import type { Collection, MeaningSample } from '../retrieval/collection.ts'
import { inTruth, type Kept, type Truth } from './as-kept.ts'
import { boardDocuments } from './board-source.ts'
import type { FindingType } from './finding.ts'
import type { Outcome } from './record.ts'

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
export async function sampleOf(
  collection: Collection,
  limit: number,
  truth: Truth,
): Promise<MeaningSample<MemoryNote>> {
  const sample = await collection.sample(limit, boardDocuments(await collection.state()))
  const { kept } = await inTruth(sample.sampled, truth)
  const sampled = sample.sampled.flatMap(({ id, vector }, at) =>
    kept[at] ? [{ id, vector, ...noteOf(kept[at]) }] : [],
  )
  return { ...sample, sampled }
}

function noteOf(kept: Kept): MemoryNote {
  switch (kept.type) {
    case 'learning': {
      const { id, text, created } = kept.learning
      return {
        ...{ type: kept.type, title: '', text, learningId: id },
        ...(created !== undefined && { timestamp: created }),
      }
    }
    case 'feature':
      return { type: kept.type, title: '', text: kept.text }
    case 'iteration': {
      const { taskTitle: title, summary: text, iterationNumber, outcome, timestamp } = kept.record
      return { type: kept.type, title, text, iterationNumber, outcome, timestamp }
    }
  }
}
