import { createHash } from 'node:crypto'
import { sentenceOf } from '../core/random.ts'
import { type Found, numberOf, type WritePath } from '../core/write-path.ts'

/** What is staged between two checkpoints, so that checkpoints are killed too. */
const BETWEEN_CHECKPOINTS = 12

export const path: WritePath = {
  name: 'knowledge',
  what: 'knowledge that was captured, and checkpoints over it',
  repeats: true,
  embeds: true,
  async write({ knowledge }, id) {
    const [error, solution] = [sentenceOf(`${id} error`), sentenceOf(`${id} solution`)]
    const entry = {
      ...{ kind: 'failure_solution' as const, project: 'shop', successVerified: true },
      failureDescription: `${id} says ${sentenceOf(id)}`,
      ...{ errorMessage: error, solutionSteps: solution },
    }
    await knowledge.capture(entry, { id: uuidOf(id) })
    if (numberOf(id) % BETWEEN_CHECKPOINTS === BETWEEN_CHECKPOINTS - 1) {
      const { stopped } = await knowledge.checkpoint('manual')
      if (stopped) throw stopped
    }
  },
  async settle({ knowledge }) {
    const { staged, stopped } = await knowledge.checkpoint('manual')
    if (stopped) throw stopped
    if (staged.waiting + staged.elsewhere > 0) throw new Error(`left staged: ${JSON.stringify(staged)}`)
  },
  async find({ knowledge }): Promise<Found> {
    const [ids, damaged]: [string[], string[]] = [[], []]
    for (let after: string | undefined; ; ) {
      const page = await knowledge.list({ limit: 200, ...(after && { after }) })
      for (const entry of page.entries) {
        const text = entry.kind === 'failure_solution' ? entry.failureDescription : ''
        const id = text.split(' ')[0]!
        ids.push(id)
        if (!text.endsWith(sentenceOf(id))) damaged.push(`${id}: says something else`)
        if (entry.successCount !== 1) damaged.push(`${id}: counted ${entry.successCount} times`)
      }
      if (page.next === undefined) break
      after = page.next
    }
    return { ids, damaged }
  },
  async search({ knowledge }, id) {
    const found = await knowledge.queryForTask({ description: sentenceOf(id) }, { minScore: 0.1, limit: 5 })
    return found.map((pattern) => [JSON.stringify(pattern).match(/w\d+\w*n\d+/)?.[0], pattern.score])
  },
}

/** The same one for the same id: whoever was killed captures it again. */
function uuidOf(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
