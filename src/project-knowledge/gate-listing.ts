import { RalphError } from '../errors.ts'
import { checkedLimit } from '../retrieval/relevance.ts'
import type { Queries, Storage } from '../storage/storage.ts'
import type { GateRow } from '../storage/tables.ts'
import { ambiguousId, idOfKind, matchingId, UUID_BEGINNING } from '../text/short-id.ts'
import { gateOf, type ListedGate } from './gate.ts'
import { PAGE_LIMIT, type Page, type PageRequest, pageOf, placeOf } from './page.ts'

export interface GateListOptions extends PageRequest {
  /** What waits, the longest first, or what was decided, the latest first. */
  state: 'waiting' | 'decided'
  project?: string | undefined
}

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
  return pageOf(await query.execute(), limit, { time: (row) => row[column] ?? 0, entry: listedGate })
}

/** Rejections that are the last word on their task at their gate; the earliest first. */
export async function rejectedLast({ db }: Storage, project: string): Promise<ListedGate[]> {
  const rows = await db
    .selectFrom('gates')
    .select(LISTED)
    .where('project_id', '=', project)
    .where('state', '=', 'rejected')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('gates as later')
            .select('later.id')
            .whereRef('later.project_id', '=', 'gates.project_id')
            .whereRef('later.task_id', '=', 'gates.task_id')
            .whereRef('later.gate_type', '=', 'gates.gate_type')
            .whereRef('later.attempt', '>', 'gates.attempt'),
        ),
      ),
    )
    .orderBy('decided_at')
    .orderBy('id')
    .execute()
  return rows.map(listedGate)
}

function listedGate(row: Omit<GateRow, 'change_text'>): ListedGate {
  const { change: _, ...listed } = gateOf({ ...row, change_text: '' })
  return listed
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

/** A short id is one of this project's, if it has such a gate. */
export async function findGate(
  db: Queries,
  id: string,
  { here, only }: { here: string | undefined; only?: string | undefined },
): Promise<GateRow> {
  const wanted = idOfKind('gate', id)
  const mine = here === undefined ? [] : await gatesLike(db, wanted, here)
  const rows = mine.length === 0 && only === undefined ? await gatesLike(db, wanted) : mine
  if (rows.length === 1) return rows[0]!
  const hint = 'ralph gate list'
  if (rows.length === 0) throw new RalphError('not_found', `there is no gate ${JSON.stringify(id)}`, { hint })
  const alike = rows.map((row) => ({ kind: 'gate' as const, id: row.id, line: row.task_title }))
  throw ambiguousId(id, alike)
}

const MOST_ALIKE = 10

/** Those that begin so, of one project or of any. */
export async function gatesLike(db: Queries, wanted: string, project?: string): Promise<GateRow[]> {
  if (!UUID_BEGINNING.test(wanted)) return []
  const like = db.selectFrom('gates').selectAll().where('id', 'like', `${wanted.toLowerCase()}%`)
  const found = project === undefined ? like : like.where('project_id', '=', project)
  const rows = await found.orderBy('created_at', 'desc').limit(MOST_ALIKE).execute()
  return matchingId(rows, wanted, ({ id }) => id)
}
