import { anyOf, featureScope, knowledgeScope } from './scopes.ts'
import type { Surface } from './surface.ts'

export const prompt: Surface = {
  name: 'prompt',
  asks: 'the prompt that the loop would give the agent for any task',
  elsewhere:
    'another feature than the task’s; knowledge of another storage; conversations and documents of anybody',
  share: 0.01,
  async open(scene) {
    const { world } = scene
    return {
      async ask() {
        const asker = scene.asker()
        const ralph = await world.ralph(asker)
        const budget = scene.random.of([2_000, 8_000, 30_000])
        // One task of each feature, in their order: ids are the same in every project.
        const prompt = await ralph.loop.prompt(asker.feature + 1, { budget })
        return {
          asked: `the prompt for task ${asker.feature + 1} of ${asker.path}`,
          shown: prompt,
          may: anyOf(featureScope(asker), knowledgeScope(world, asker)),
        }
      },
    }
  },
}
