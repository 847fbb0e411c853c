import { Hono } from 'hono'
import { z } from 'zod'
import { RalphError } from '../../errors.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import { describeEnding } from '../../telling/ending-words.ts'
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
      return c.json({ record, ...context, ending: describeEnding(record), words: ownWords(record) })
    })
    .get('/told', checked('param', Param), checked('query', Query), async (c) => {
      const { record } = await iteration(c.req.valid('param'), c.req.valid('query').id)
      return c.json({ tellings: await loop.told(record) })
    })
    .get('/left', checked('param', Param), checked('query', Query), async (c) => {
      const { feature } = c.req.valid('param')
      const { record } = await iteration(c.req.valid('param'), c.req.valid('query').id)
      const [errors, known] = await Promise.all([errorsOf(record), learningsForPeople(ralph, feature)])
      const { iterationNumber } = record
      const taught = known.filter(
        (learning) => learning.iteration === iterationNumber || learning.lastSeen === iterationNumber,
      )
      return c.json({ errors, learnings: taught })
    })

  /** What the ledger knows of the errors that it met, left and solved. */
  async function errorsOf({ feature, iterationNumber }: IterationRecord) {
    const entries = await featureMemory.errors(feature)
    return entries.flatMap((entry) => {
      const { id, message, life, filePath, line, sightings, solutions } = entry
      const solution = solutions.find(
        ({ iteration: shown, by }) => shown === iterationNumber || by?.iteration === iterationNumber,
      )
      const part = {
        met: sightings.some(({ iteration: seen }) => seen === iterationNumber),
        first: sightings[0]?.iteration === iterationNumber,
        cameBack: solutions.some(({ cameBackIn }) => cameBackIn === iterationNumber),
        /** Its check no longer reported it here, or whose work that was. */
        ...(solution && {
          solved: {
            check: solution.check,
            shownIn: solution.iteration,
            byThis: solution.by?.iteration === iterationNumber,
            cameBackIn: solution.cameBackIn,
          },
        }),
      }
      return part.met || part.cameBack || part.solved ? [{ id, message, life, filePath, line, ...part }] : []
    })
  }
}
