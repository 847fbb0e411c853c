import { checkedLimit } from '../retrieval/relevance.ts'
import type { Storage } from '../storage/storage.ts'
import { type Gate, gateOf } from './gate.ts'
import { PAGE_LIMIT, type Page, type PageRequest, pageOf, placeOf } from './page.ts'

export interface GateListOptions extends PageRequest {
  /** What waits, the longest first, or what was decided, the latest first. */
  state: 'waiting' | 'decided'
  project?: string | undefined
}

/** A gate in a list: the change itself may be long, and is read with `show`. */
export type ListedGate = Omit<Gate, 'change'>

/** `options.project`: as it is filed. */
export async function listGates({ db }: Storage, options: GateListOptions): Promise<Page<ListedGate>> {
  const isWaiting = options.state === 'waiting'
  const limit = checkedLimit(options.limit ?? PAGE_LIMIT)
  const from = placeOf(options.after)
  const [column, direction, compared] = isWaiting
    ? (['created_at', 'asc', '>'] as const)
    : (['decided_at', 'desc', '<'] as const)
  let query = db
    .selectFrom('gates')
    .select(LISTED)
    .where('state', isWaiting ? '=' : '!=', 'waiting')
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit + 1)
  if (options.project !== undefined) query = query.where('project_id', '=', options.project)
  if (from) {
    query = query.where((row) =>
      row.or([row(column, compared, from.time), row(column, '=', from.time).and('id', compared, from.id)]),
    )
  }
  return pageOf(await query.execute(), limit, {
    time: (row) => row[column] ?? 0,
    entry: (row) => {
      const { change: _, ...listed } = gateOf({ ...row, change_text: '' })
      return listed
    },
  })
}

export async function countWaiting({ db }: Storage, project: string | undefined): Promise<number> {
  let query = db
    .selectFrom('gates')
    .where('state', '=', 'waiting')
    .select(db.fn.countAll<number>().as('waiting'))
  if (project !== undefined) query = query.where('project_id', '=', project)
  return Number((await query.executeTakeFirstOrThrow()).waiting)
}

const LISTED = [
  'id',
  'project',
  'project_id',
  'feature',
  'task_id',
  'task_title',
  'task_description',
  'gate_type',
  'agent_type',
  'task_type',
  'technology',
  'approach',
  'attempt',
  'state',
  'feedback',
  'decided_by',
  'decided_account',
  'decided_how',
  'created_at',
  'decided_at',
] as const
