import { Hono } from 'hono'
import { z } from 'zod'
import { withinTime } from '../../deferred.ts'
import { RalphError } from '../../errors.ts'
import { ERROR_LIVES, type ErrorLife, type LedgerEntry } from '../../feature-memory/ledger/ledger.ts'
import { OUTCOMES, RECORD_KINDS } from '../../feature-memory/record.ts'
import type { Ralph } from '../../ralph.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'
import { type IterationRow, iterationRow } from './iteration-row.ts'
import { pageFrom } from './paging.ts'

/** A first page does not wait until a journal that nobody has read yet is read to its end. */
const PATIENCE_MS = 300
/** The ledger of a large journal takes longer, once: meanwhile the page says so. */
const LEDGER_PATIENCE_MS = 2_000
const LARGEST_PAGE = 200
const HEAT_FILES = 40

const limit = z.coerce.number().int().min(1).max(LARGEST_PAGE).default(50)
const place = z.coerce.number().int().min(0).optional()
/** The last so many iterations. */
const last = z.coerce.number().int().min(1).max(1_000_000).optional()
const several = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(names)))
    .optional()

const Iterations = z.object({
  outcome: several(OUTCOMES),
  kind: several(RECORD_KINDS),
  task: z.coerce.number().int().min(0).optional(),
  file: z.string().min(1).max(4_000).optional(),
  after: place,
  limit,
})
const Paged = z.object({ after: z.coerce.number().int().min(0).default(0), limit })

interface IterationsPage {
  items: IterationRow[]
  /** The journal is being read for the first time: how many there are is not known yet. */
  counting: boolean
  matching?: number
  all?: number
  next?: string
}

/** One feature: what was done on it, in parts that are asked for one by one. */
export function featuresApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { featureMemory } = ralph
  return new Hono()
    .get('/:feature', async (c) => c.json(await headOf(ralph, c.req.param('feature'))))
    .get('/:feature/iterations', checked('query', Iterations), async (c) => {
      const { task: taskId, after: before, ...query } = c.req.valid('query')
      const feature = c.req.param('feature')
      const asked = featureMemory.timeline(feature)
      const isFirst =
        before === undefined && !query.outcome && !query.kind && !query.file && taskId === undefined
      const timeline = isFirst ? await withinTime(asked, PATIENCE_MS) : await asked
      if (!timeline) {
        const records = await featureMemory.recent(feature, query.limit)
        return c.json<IterationsPage>({ items: records.map(iterationRow), counting: true })
      }
      const { iterations, matching, next } = await timeline.page({ ...query, taskId, before })
      return c.json<IterationsPage>({
        items: iterations.map(({ record }) => iterationRow(record)),
        counting: false,
        matching,
        all: timeline.length,
        ...(next !== undefined && { next: String(next) }),
      })
    })
    .get('/:feature/trend', checked('query', z.object({ last })), async (c) => {
      const timeline = await featureMemory.timeline(c.req.param('feature'))
      return c.json({ totals: timeline.totals(), points: timeline.trend(c.req.valid('query')) })
    })
    .get(
      '/:feature/errors',
      checked(
        'query',
        Paged.extend({ life: z.enum(ERROR_LIVES).optional(), error: z.string().max(20).optional() }),
      ),
      async (c) => {
        const { life, error, after, limit } = c.req.valid('query')
        const feature = c.req.param('feature')
        const known = await withinTime(featureMemory.errors(feature), LEDGER_PATIENCE_MS)
        const entries = (known ?? []).toSorted((a, b) => order(a) - order(b))
        const wanted = entries.filter(
          (entry) =>
            (life === undefined || entry.life === life) && (error === undefined || entry.id === error),
        )
        const counts = LIFE_ORDER.map((name) => ({
          life: name,
          count: entries.filter((entry) => entry.life === name).length,
        }))
        const latest = (await featureMemory.timeline(feature)).totals().latestIteration ?? 0
        return c.json({ counting: known === undefined, counts, latest, ...pageFrom(wanted, after, limit) })
      },
    )
    .get(
      '/:feature/files',
      checked('query', Paged.extend({ last, named: z.string().max(1_000).optional() })),
      async (c) => {
        const { after, limit, last, named } = c.req.valid('query')
        const feature = c.req.param('feature')
        const files = await featureMemory.files(feature)
        const wanted = named ? files.filter(({ path }) => path.includes(named)) : files
        const heat = (await featureMemory.timeline(feature)).fileMap({ most: HEAT_FILES, last })
        return c.json({ all: files.length, matching: wanted.length, heat, ...pageFrom(wanted, after, limit) })
      },
    )
    .get('/:feature/tasks', checked('query', Paged), async (c) => {
      const { after, limit } = c.req.valid('query')
      const tasks = await tasksOf(ralph, c.req.param('feature'))
      return c.json({ all: tasks.length, ...pageFrom(tasks, after, limit) })
    })
}

/** What is known of a feature without reading its journal. */
async function headOf({ board, featureMemory, learnings }: Ralph, name: string) {
  const feature = await board.findFeature(name)
  const tasks = await board.tasks({ feature: name })
  if (!feature && tasks.length === 0 && !(await featureMemory.features()).includes(name)) {
    throw new RalphError('not_found', `there is no feature ${JSON.stringify(name)}`, {
      hint: 'ralph feature list',
    })
  }
  const known = await learnings.known(name)
  const { displayName, description, architecture, boundaries } = feature ?? {}
  return {
    name,
    onBoard: feature !== undefined,
    ...{ displayName, description, architecture, boundaries },
    currentState: feature ? await board.currentState(name) : '',
    tasks: tasks.length,
    learnings: {
      all: known.length,
      waiting: known.filter(({ reviewed, conflictsWith = [] }) => !reviewed || conflictsWith.length > 0)
        .length,
    },
  }
}

/** What is in the way first. */
const LIFE_ORDER = ['came_back', 'open', 'not_seen_since', 'solved'] as const satisfies readonly ErrorLife[]

function order({ life }: LedgerEntry): number {
  return LIFE_ORDER.indexOf(life)
}

/** Those on the board as they stand there, then those that only the journal remembers. */
async function tasksOf({ board, featureMemory }: Ralph, feature: string) {
  const works = new Map(
    (await featureMemory.timeline(feature)).tasks().map((work) => [work.taskId, work] as const),
  )
  const tasks = (await board.tasks({ feature })).map(
    ({ id, title, status, priority, blockedBy, discipline }) => {
      const work = works.get(id)
      works.delete(id)
      return { id, title, status, priority, blockedBy, discipline, ...(work && { work }) }
    },
  )
  const others = [...works.values()].map((work) => ({ id: work.taskId, work }))
  return [...tasks, ...others]
}
