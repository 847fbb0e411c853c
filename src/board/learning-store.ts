import { parseFeatureName } from '../files/feature-name.ts'
import type { LearningStore } from '../learnings/store.ts'
import type { EntryStore } from './entry-store.ts'
import type { Feature } from './feature.ts'

/** A feature nobody described yet gets its entry with its first learning. */
export function learningStore(
  features: EntryStore<Feature>,
  board: { change: <T>(work: () => Promise<T>) => Promise<T>; timestamp: () => string },
): LearningStore {
  return {
    load: async (feature) => (await features.find(feature))?.learnings ?? [],
    update: (feature, change) =>
      board.change(async () => {
        const current = await features.find(feature)
        const result = change(current?.learnings ?? [])
        const { learnings } = result
        if (!current && learnings.length === 0) return result
        if (!current) await features.add({ name: parseFeatureName(feature), created: board.timestamp() })
        await features.patch(feature, () => ({ learnings }))
        return result
      }),
  }
}
