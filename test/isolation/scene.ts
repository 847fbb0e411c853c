import type { Scene } from './surfaces/surface.ts'
import type { KnownIds } from './world/ids.ts'
import { questionsOf } from './world/questions.ts'
import type { Random } from './world/random.ts'
import type { AskedWorld } from './world/world.ts'

/** Everything that is asked follows from the world and the random numbers. */
export function openScene(
  world: AskedWorld,
  random: Random,
  { searches, ids }: { searches: number; ids?: KnownIds },
): Scene {
  const asker = () => {
    const feature = random.below(world.features.length)
    return { ...random.of(world.projects), feature, name: world.features[feature]! }
  }
  return { world, random, searches, asker, questions: questionsOf(world, random), ids: ids ?? NO_IDS }
}

const NO_IDS: KnownIds = {
  ...{ conversations: [], exchanges: [], pieces: [], entries: [] },
  ...{ gates: [], receipts: [], learnings: [], errors: [] },
}
