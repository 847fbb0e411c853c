import { recallEverything } from '../../../src/recall/recall.ts'
import { MEMORY_KINDS } from '../../../src/recall/recollection.ts'
import { anyOf, knowledgeScope, personScope, projectScope } from './scopes.ts'
import type { Surface } from './surface.ts'

export const recall: Surface = {
  name: 'recall',
  asks: 'one search over everything (`ralph search`, the page’s search), with and without a feature, a kind, a time; and what projects know, for a task and for a failure',
  elsewhere:
    'another project’s features; another person’s conversations and documents; knowledge of another storage, and in the run of an agent any knowledge',
  share: 0.02,
  async open(scene) {
    const { world, random, questions } = scene
    return {
      async ask() {
        const asker = scene.asker()
        const ralph = await world.ralph(asker)
        const knowledge = knowledgeScope(world, asker)
        if (random.chance(0.5)) {
          const query = { description: questions.any(), error: questions.error() }
          const options = { limit: 20, minScore: 0 }
          const forTask = random.chance(0.5)
          return {
            asked: `project knowledge for a ${forTask ? 'task' : 'failure'} in ${asker.path}`,
            shown: forTask
              ? await ralph.knowledge.queryForTask(query, options)
              : await ralph.knowledge.queryForFailure(query, options),
            may: knowledge,
          }
        }
        const inRun = random.chance(0.5)
        const options = {
          ...{ inRun, limit: 50, minScore: 0 },
          ...(random.chance(0.5) && { feature: asker.name }),
          ...(random.chance(0.3) && { kinds: [random.of(MEMORY_KINDS)] }),
          ...(random.chance(0.2) && { prefer: asker.name }),
        }
        const own = anyOf(projectScope(asker), personScope(asker))
        return {
          asked: `everything in ${asker.path} ${JSON.stringify(options)}`,
          shown: await recallEverything(ralph, questions.any(), options),
          may: inRun ? own : anyOf(own, knowledge),
        }
      },
    }
  },
}
