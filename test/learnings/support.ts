import type { FeatureLearning } from '../../src/learnings/learning.ts'
import type { LearningStore } from '../../src/learnings/store.ts'

export const NOW = '2026-02-07T14:30:00Z'

let counter = 0

/** A learning with defaults; the text is unlike any other unless given. */
export function learning(fields: Partial<FeatureLearning> = {}): FeatureLearning {
  counter++
  return {
    text: `Module${counter} keeps its state in file${counter}.json`,
    reason: 'seen while testing',
    source: 'auto',
    iteration: 1,
    created: NOW,
    hitCount: 1,
    reviewed: false,
    ...fields,
  }
}

export const many = (count: number, fields: Partial<FeatureLearning> = {}) =>
  Array.from({ length: count }, () => learning(fields))

/** Keeps learnings in memory, one change after the other, as the board does under its lock. */
export class MemoryStore implements LearningStore {
  readonly features = new Map<string, FeatureLearning[]>()

  async load(feature: string): Promise<FeatureLearning[]> {
    return this.features.get(feature) ?? []
  }

  async update<Result extends { learnings: FeatureLearning[] }>(
    feature: string,
    change: (learnings: FeatureLearning[]) => Result,
  ): Promise<Result> {
    const result = change(await this.load(feature))
    this.features.set(feature, result.learnings)
    return result
  }
}
