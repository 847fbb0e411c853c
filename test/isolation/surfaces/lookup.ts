import { find } from '../../../src/lookup/find.ts'
import { open } from '../../../src/lookup/open.ts'
import { readReceipts } from '../../../src/receipts/read.ts'
import { anyOf, knowledgeScope, personScope, projectScope } from './scopes.ts'
import type { Scene, Surface } from './surface.ts'

export const lookup: Surface = {
  name: 'lookup',
  asks: 'anything by its id, as `ralph show` and undo find it: ids of every place, whole, cut short, with and without what they are; receipts',
  elsewhere:
    'another project’s features, errors, receipts and gates; another person’s; knowledge of another storage, and in a run any',
  share: 0.02,
  async open(scene) {
    const { world, random } = scene
    return {
      async ask() {
        const asker = scene.asker()
        const ralph = await world.ralph(asker)
        const own = anyOf(projectScope(asker), personScope(asker))
        if (random.chance(0.1)) {
          const feature = random.chance(0.5) ? asker.name : undefined
          return {
            asked: `receipts of ${asker.path}`,
            shown: await readReceipts(ralph.config.paths.receipts, { feature }),
            may: own,
          }
        }
        const typed = someId(scene)
        const inRun = random.chance(0.3)
        const found = await find(ralph, typed, { inRun })
        const opened = []
        for (const { address } of found.slice(0, 5)) opened.push(await open(ralph, address))
        return {
          asked: `${typed} in ${asker.path}${inRun ? ' in a run' : ''}`,
          shown: [found, opened],
          may: inRun ? own : anyOf(own, knowledgeScope(world, asker)),
        }
      },
    }
  },
}

const LETTERS = {
  ...{ conversations: 'c', exchanges: 'x', pieces: 'd', entries: 'k', gates: 'g', receipts: 'r' },
  ...{ learnings: 'l', errors: 'e' },
} as const

/** Of any place: whole or its beginning, with the letter of its kind or without. */
export function someId({ ids, random, world }: Pick<Scene, 'ids' | 'random' | 'world'>): string {
  if (random.chance(0.2)) return `${random.of(['i-', '', 'f-'])}${random.of(world.features)}-1`
  const kind = random.of(Object.keys(LETTERS) as (keyof typeof LETTERS)[])
  const id = ids[kind].length > 0 ? random.of(ids[kind]) : 'none'
  const typed = random.chance(0.5) ? id : id.slice(0, 4 + random.below(8))
  return random.chance(0.5) ? `${LETTERS[kind]}-${typed}` : typed
}
