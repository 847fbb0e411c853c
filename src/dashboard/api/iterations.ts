import { Hono } from 'hono'
import { z } from 'zod'
import { RalphError } from '../../errors.ts'
import { errorsAround } from '../../feature-memory/ledger/ledger.ts'
import { describeEnding } from '../../telling/ending-words.ts'
import { memoryRemark } from '../../telling/memory-words.ts'
import { ownWords } from '../../telling/own-words.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'
import { learningsForPeople } from './learnings.ts'

const Param = z.object({ feature: z.string(), number: z.coerce.number().int().positive() })
/** Which of several records of one number, as after a merge. */
const Query = z.object({ id: z.string().max(20).optional() })

/** One iteration: what it was told, what it did, what it left. */
export function iterationsApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { featureMemory, loop } = ralph
  const iteration = async ({ feature, number }: z.infer<typeof Param>, id: string | undefined) => {
    const found = await (await featureMemory.timeline(feature)).iteration(number, id)
    if (found) return found
    const which = id === undefined ? `iteration ${number}` : `iteration ${number} (${id})`
    throw new RalphError('not_found', `there is no ${which} of ${JSON.stringify(feature)}`, {
      hint: `ralph memory recent --feature ${JSON.stringify(feature)}`,
    })
  }
  return new Hono()
    .get('/', checked('param', Param), checked('query', Query), async (c) => {
      const { record, ...context } = await iteration(c.req.valid('param'), c.req.valid('query').id)
      const [ending, withoutMemory] = [describeEnding(record), memoryRemark(record)]
      return c.json({ record, ...context, ending, withoutMemory, words: ownWords(record) })
    })
    .get('/told', checked('param', Param), checked('query', Query), async (c) => {
      const { record } = await iteration(c.req.valid('param'), c.req.valid('query').id)
      return c.json({ tellings: await loop.told(record) })
    })
    .get('/left', checked('param', Param), checked('query', Query), async (c) => {
      const { feature } = c.req.valid('param')
      const { record } = await iteration(c.req.valid('param'), c.req.valid('query').id)
      const { iterationNumber } = record
      const [entries, known] = await Promise.all([
        featureMemory.errors(feature),
        learningsForPeople(ralph, feature),
      ])
      const taught = known.filter(
        (learning) => learning.iteration === iterationNumber || learning.lastSeen === iterationNumber,
      )
      return c.json({ errors: errorsAround(iterationNumber, entries), learnings: taught })
    })
}
