import { sentenceOf } from '../core/random.ts'
import { type Found, numberOf, type WritePath } from '../core/write-path.ts'

/** A feature keeps fifty: no writer may be told that there is no room. */
const IN_ONE_FEATURE = 8

export const path: WritePath = {
  name: 'learnings',
  what: 'a learning of a person, and that we vouch for it',
  async write({ board, learnings }, id, { acknowledge }) {
    const feature = `f-${id.replace(/n\d+$/, '')}-${Math.floor(numberOf(id) / IN_ONE_FEATURE)}`
    if (!(await board.findFeature(feature))) await board.addFeature({ name: feature })
    const text = `${id}: ${sentenceOf(id)}`
    const { outcome, why } = await learnings.append(feature, { text, reason: 'the soak', source: 'human' })
    if (outcome !== 'added') throw new Error(`it was ${outcome}: ${why}`)
    acknowledge(`${id}-vouched`)
  },
  async find({ board, learnings }): Promise<Found> {
    const [ids, damaged]: [string[], string[]] = [[], []]
    for (const { name } of await board.features())
      for (const { text, source } of await learnings.known(name)) {
        const [id] = text.split(':') as [string]
        ids.push(id)
        if (text !== `${id}: ${sentenceOf(id)}`) damaged.push(`${id}: says something else`)
        // Who was killed before it was acknowledged may have left it without us to vouch for it.
        if (source !== 'human' && source !== 'repository')
          damaged.push(`${id}: is said to come from ${source}`)
        if (source === 'human') ids.push(`${id}-vouched`)
      }
    return { ids, damaged }
  },
  async search({ featureMemory, board, learnings }, id) {
    for (const { name } of await board.features()) {
      if (!(await learnings.known(name)).some(({ text }) => text.startsWith(`${id}:`))) continue
      const found = await featureMemory.recall(name, sentenceOf(id), { limit: 3, types: ['learning'] })
      return found.map((one) => [one.type === 'learning' && one.learning.text, one.score])
    }
    return undefined
  },
}
