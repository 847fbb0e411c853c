import { OUTCOMES } from '../../../src/feature-memory/record.ts'
import type { Ralph } from '../../../src/ralph.ts'
import { NO_FEATURES, spelled } from '../world/names.ts'
import { featureScope } from './scopes.ts'
import type { Scene, Surface } from './surface.ts'

/** One call of feature memory, with whatever filters. */
type Call = (ralph: Ralph, feature: string, scene: Scene) => Promise<unknown>

const CALLS: { readonly [call: string]: { weight: number; run: Call } } = {
  search: {
    weight: 12,
    run: (ralph, feature, scene) =>
      ralph.featureMemory.search(feature, scene.questions.any(), filters(scene)),
  },
  recall: {
    weight: 8,
    run: (ralph, feature, scene) =>
      ralph.featureMemory.recall(feature, scene.questions.any(), filters(scene)),
  },
  recent: { weight: 1, run: ({ featureMemory }, feature) => featureMemory.recent(feature, 50) },
  files: { weight: 1, run: ({ featureMemory }, feature) => featureMemory.files(feature) },
  failedAttempts: {
    weight: 1,
    run: ({ featureMemory }, feature, { random }) =>
      featureMemory.failedAttempts(feature, random.chance(0.5) ? random.below(5) : undefined, 50),
  },
  errors: { weight: 1, run: ({ featureMemory }, feature) => featureMemory.errors(feature) },
  timeline: {
    weight: 1,
    run: async ({ featureMemory }, feature) => {
      const timeline = await featureMemory.timeline(feature)
      return [await timeline.page({ limit: 50 }), timeline.tasks(), timeline.fileMap({ most: 50 })]
    },
  },
  learnings: {
    weight: 1,
    run: async ({ learnings }, feature) => [await learnings.list(feature), await learnings.known(feature)],
  },
  export: {
    weight: 0.5,
    run: ({ featureMemory }, feature) => Array.fromAsync(featureMemory.export(feature)),
  },
  sample: { weight: 0.5, run: ({ featureMemory }, feature) => featureMemory.sample(feature, 100) },
}

export const library: Surface = {
  name: 'library',
  asks: '`featureMemory` (search, recall, recent, files, failedAttempts, errors, timeline, export, sample) and `learnings`, by any spelling of the feature, with any filter and limit',
  elsewhere: 'another feature, project or person; all that is no memory of a feature',
  share: 0.74,
  async open(scene) {
    const { world, random } = scene
    const drawn = Object.entries(CALLS).flatMap(([name, { weight }]) => Array<string>(2 * weight).fill(name))
    return {
      async ask() {
        const asker = scene.asker()
        const ralph = await world.ralph(asker)
        const call = random.of(drawn)
        const isNone = random.chance(0.03)
        const feature = isNone ? random.of(NO_FEATURES) : spelled(asker.name, random.below(3))
        return {
          asked: `${call} in ${JSON.stringify(feature)} of ${asker.path}`,
          shown: await CALLS[call]!.run(ralph, feature, scene),
          may: isNone ? () => false : featureScope(asker),
        }
      },
    }
  },
}

function filters({ random, questions }: Scene) {
  return {
    limit: random.of([1, 5, 20, 100]),
    minScore: random.of([0, 0, 0.2, 0.4]),
    ...(random.chance(0.15) && { outcome: [random.of(OUTCOMES)] }),
    ...(random.chance(0.15) && { taskId: random.below(6) }),
    ...(random.chance(0.1) && { file: questions.file() }),
    ...(random.chance(0.1) && { since: `2026-0${1 + random.below(9)}-01T00:00:00Z` }),
    ...(random.chance(0.1) && { until: `2026-0${1 + random.below(9)}-01T00:00:00Z` }),
  }
}
