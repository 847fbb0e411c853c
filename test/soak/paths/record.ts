import { sentenceOf } from '../core/random.ts'
import type { Found, WritePath } from '../core/write-path.ts'

/** Several at once in one journal, and several journals. */
const FEATURES = ['login', 'payment', 'search']

const featureOf = (id: string) => FEATURES[id.length % FEATURES.length]!

export const path: WritePath = {
  name: 'record',
  what: 'an iteration in a journal',
  async write({ featureMemory }, id) {
    await featureMemory.recordIteration({
      ...{ feature: featureOf(id), taskId: 7, taskTitle: `Task ${id}`, outcome: 'failure' },
      ...{ timestamp: new Date().toISOString(), summary: `${id} says ${sentenceOf(id)}` },
    })
  },
  async find({ featureMemory }): Promise<Found> {
    const [ids, damaged]: [string[], string[]] = [[], []]
    for (const feature of await featureMemory.features()) {
      const numbers = new Set<number>()
      for await (const item of featureMemory.journal(feature).items()) {
        if (item.kind === 'damage') {
          damaged.push(`${feature}: a line that cannot be read`)
          continue
        }
        const { summary, iterationNumber } = item.record
        const id = summary.split(' ')[0]!
        ids.push(id)
        if (!summary.includes(sentenceOf(id))) damaged.push(`${id}: says something else`)
        if (numbers.has(iterationNumber)) damaged.push(`${feature}: two iterations ${iterationNumber}`)
        numbers.add(iterationNumber)
      }
    }
    return { ids, damaged }
  },
  async search({ featureMemory }, id) {
    const found = await featureMemory.search(featureOf(id), sentenceOf(id), { limit: 5 })
    return found.map(({ record, score }) => [record.summary.split(' ')[0], record.iterationNumber, score])
  },
}
