import { Random, sentenceOf } from '../core/random.ts'
import { type Found, numberOf, type WritePath } from '../core/write-path.ts'

/** Of every so many one is forgotten again, for good. */
const FORGOTTEN = 4

/** Iterations that come from elsewhere, and those that somebody wants forgotten. */
export const path: WritePath = {
  name: 'transfer',
  what: 'iterations that were imported, or forgotten again',
  repeats: true,
  async write({ featureMemory }, id, { acknowledge }) {
    const parts = [`${id}-0`, `${id}-1`]
    await featureMemory.import(linesOf(parts))
    for (const one of parts) acknowledge(one)
    if (numberOf(id) % FORGOTTEN !== FORGOTTEN - 1) return
    const last = `${id}-2`
    const record = { ...fields(last), taskId: taskOf(last), feature: 'moved' }
    await featureMemory.recordIteration(record)
    // Whoever was killed before may have left it, too.
    await featureMemory.forget('moved', { taskId: record.taskId })
    acknowledge(`${id}-forgotten`)
  },
  async find({ featureMemory }, _, acknowledged): Promise<Found> {
    const ids: string[] = []
    const damaged: string[] = []
    for await (const item of featureMemory.journal('moved').items()) {
      if (item.kind === 'damage') damaged.push('a line that cannot be read')
      else ids.push(item.record.summary.split(' ')[0]!)
    }
    const there = new Set(ids)
    const forgotten = [...acknowledged].filter((id) => id.endsWith('-forgotten'))
    const absent = forgotten.filter((id) => !there.has(id.replace('forgotten', '2')))
    // Imported ones are known by what they say; two killed before they could forget may have left the same.
    const once = ids.filter((id) => !id.endsWith('-2'))
    const done = [...acknowledged].filter((id) => !id.includes('-'))
    return { ids: [...once, ...absent, ...done], damaged }
  },
  async search({ featureMemory }, id) {
    if (!/-[01]$/.test(id)) return undefined
    const found = await featureMemory.search('moved', sentenceOf(id), { limit: 5 })
    return found.map(({ record, score }) => [record.summary.split(' ')[0], score])
  },
}

function fields(id: string) {
  return {
    ...{ taskId: 3, taskTitle: `Task ${id}`, outcome: 'success' as const },
    ...{ timestamp: '2026-02-07T14:30:00Z', summary: `${id} says ${sentenceOf(id)}` },
  }
}

/** A number that no other has: what is forgotten is named by it. */
function taskOf(id: string): number {
  return 10 + Math.floor(new Random(0).fork(id).next() * 1e9)
}

async function* linesOf(ids: readonly string[]): AsyncGenerator<string> {
  for (const [at, id] of ids.entries()) {
    const { taskId, taskTitle, ...rest } = fields(id)
    const record = {
      iteration_number: at + 1,
      task_id: taskId,
      task_title: taskTitle,
      feature: 'moved',
      ...rest,
    }
    yield JSON.stringify({ version: 1, record })
  }
}
