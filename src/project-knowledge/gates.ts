import { randomUUID } from 'node:crypto'
import { RalphError } from '../errors.ts'
import type { Queries, Storage, StorageTransaction } from '../storage/storage.ts'
import type { GateRow } from '../storage/tables.ts'
import { deterministicUuid } from '../text/ids.ts'
import { redactValue } from '../text/redact-value.ts'
import type { Decide, Decided } from '../trust/decision.ts'
import { stage, stagingRow } from './capture.ts'
import { cleanText } from './clean.ts'
import { ENTRY_CAPS, type NewKnowledge } from './entry.ts'
import { checkedRequest, decisionOf, type Gate, type GateRequest, gateOf, type ListedGate } from './gate.ts'
import {
  countWaiting,
  findGate,
  type GateListOptions,
  gatesLike,
  listGates,
  rejectedLast,
} from './gate-listing.ts'
import type { Page } from './page.ts'
import { reviseRejection } from './revision.ts'
import { taskSource } from './sources.ts'

const LONGEST_CHANGE = 200_000

export interface GateDecision {
  gate: Gate
  /** Ids of the entries that went into staging because of it. */
  captured: string[]
}

interface GateParts {
  storage: Storage
  clock: () => number
  projectKey: (project: string) => string
  /** What the project in which this happens is filed under. */
  here?: string | undefined
  decide: Decide
}

/** Points where a person approves or rejects work; what they say becomes knowledge. */
export class Gates {
  readonly #storage: Storage
  readonly #clock: () => number
  readonly #projectKey: (project: string) => string
  readonly #decide: Decide
  readonly #here: string | undefined

  /** @internal */
  constructor(parts: GateParts) {
    this.#storage = parts.storage
    this.#clock = parts.clock
    this.#projectKey = parts.projectKey
    this.#decide = parts.decide
    this.#here = parts.here
  }

  /** Puts work before a person. The same task asking again while it still waits replaces what it had handed in. */
  async request(request: GateRequest): Promise<Gate> {
    const checked = checkedRequest(request)
    const { project } = checked
    // Where it lies names the project, so it stays as it is.
    const wanted = { ...redactValue(checked), project, projectId: this.#projectKey(request.project) }
    const approach = cleanText(wanted.approach, ENTRY_CAPS.solution)
    const change = cleanText(wanted.change, LONGEST_CHANGE)
    const taskTitle = cleanText(wanted.taskTitle, ENTRY_CAPS.problem)
    const taskDescription = cleanText(wanted.taskDescription, ENTRY_CAPS.taskDescription)
    return this.#storage.transaction(async (db) => {
      const earlier = await gatesOf(db, wanted)
      const waiting = earlier.find((row) => row.state === 'waiting')
      if (waiting) {
        const changes = {
          approach,
          change_text: change,
          task_title: taskTitle,
          task_description: taskDescription,
          // What waits now has waited since now; whether a task was done again after it was asked for is told by this.
          created_at: this.#clock(),
        }
        await db.updateTable('gates').set(changes).where('id', '=', waiting.id).execute()
        return gateOf({ ...waiting, ...changes })
      }
      const row: GateRow = {
        id: randomUUID(),
        project: wanted.project,
        project_id: wanted.projectId,
        feature: wanted.feature,
        task_id: wanted.taskId,
        task_title: taskTitle,
        task_description: taskDescription,
        gate_type: wanted.gateType,
        agent_type: wanted.agentType,
        task_type: wanted.taskType,
        technology: wanted.technology,
        approach,
        change_text: change,
        attempt: earlier.length + 1,
        state: 'waiting',
        feedback: '',
        decided_by: '',
        decided_account: '',
        decided_how: '',
        created_at: this.#clock(),
        decided_at: null,
      }
      await db.insertInto('gates').values(row).execute()
      return gateOf(row)
    })
  }

  /** The longest waiting first. */
  async waiting(options: { project?: string | undefined } = {}): Promise<Gate[]> {
    let query = this.#storage.db.selectFrom('gates').selectAll().where('state', '=', 'waiting')
    const project = this.#keyed(options.project)
    if (project !== undefined) query = query.where('project_id', '=', project)
    return (await query.orderBy('created_at').orderBy('id').execute()).map(gateOf)
  }

  /** Page by page, without the changes themselves. */
  list(options: GateListOptions): Promise<Page<ListedGate>> {
    return listGates(this.#storage, { ...options, project: this.#keyed(options.project) })
  }

  countWaiting(options: { project?: string | undefined } = {}): Promise<number> {
    return countWaiting(this.#storage, this.#keyed(options.project))
  }

  /** Those of a project whose id begins so. */
  async like(beginning: string, options: { project: string }): Promise<Gate[]> {
    return (await gatesLike(this.#storage.db, beginning, this.#keyed(options.project))).map(gateOf)
  }

  /** By its id or an unambiguous beginning of it; with a project, only one of that. */
  async show(id: string, options: { project?: string | undefined } = {}): Promise<Gate> {
    const only = this.#keyed(options.project)
    return gateOf(await findGate(this.#storage.db, id, { here: only ?? this.#here, only }))
  }

  /**
   * A first-attempt approval becomes the gold standard; one after rejections tells how they were met.
   */
  async approve(id: string, options: { by?: string | undefined } = {}): Promise<GateDecision> {
    const by = cleanText(options.by ?? '', ENTRY_CAPS.name)
    const decided = await this.#decide('approve work at a gate', by)
    const found = await findGate(this.#storage.db, id, { here: this.#here })
    const approval = found.attempt === 1 ? this.#approvalRow(found, by) : undefined
    return this.#storage.transaction(async (db) => {
      const row = await this.#settle(db, found.id, { state: 'approved' }, decided)
      if (approval) return { gate: gateOf(row), captured: await stage(db, [approval]) }
      const rejected = (await gatesOf(db, gateOf(row))).filter((gate) => gate.state === 'rejected')
      const captured: string[] = []
      for (const gate of rejected) {
        const revised = await reviseRejection(db, rejectionId(gate), row.approach)
        if (revised) captured.push(revised)
      }
      return { gate: gateOf(row), captured }
    })
  }

  /** The feedback becomes knowledge at once, and reaches the task's next prompt through `feedbackFor`. */
  async reject(id: string, options: { feedback: string; by?: string | undefined }): Promise<GateDecision> {
    const feedback = cleanText(options.feedback ?? '', ENTRY_CAPS.problem)
    if (feedback === '') {
      throw new RalphError('invalid_input', 'a rejection needs feedback: what has to be different', {
        hint: 'ralph gate reject <id> --feedback "…"',
      })
    }
    const by = cleanText(options.by ?? '', ENTRY_CAPS.name)
    const decided = await this.#decide('reject work at a gate', by)
    const found = await findGate(this.#storage.db, id, { here: this.#here })
    const entry: NewKnowledge = {
      ...aboutGate(found),
      kind: 'gate_rejection',
      humanFeedback: feedback,
    }
    const projectId = found.project_id
    const source = { id: rejectionId(found), projectId, task: taskSource(found.feature, found.task_id), by }
    const rejection = stagingRow(entry, source, this.#clock())
    return this.#storage.transaction(async (db) => {
      const row = await this.#settle(db, found.id, { state: 'rejected', feedback }, decided)
      return { gate: gateOf(row), captured: await stage(db, [rejection]) }
    })
  }

  /** Of each task what was rejected and has not asked at that gate again, with what was said. */
  async rejected(options: { project: string }): Promise<ListedGate[]> {
    return rejectedLast(this.#storage, this.#projectKey(options.project))
  }

  /** What people said about this task and has not been met by an approval since; oldest first. */
  async feedbackFor(task: { project: string; taskId: string | number }): Promise<Gate[]> {
    const rows = await this.#storage.db
      .selectFrom('gates')
      .selectAll()
      .where('project_id', '=', this.#projectKey(task.project))
      .where('task_id', '=', String(task.taskId))
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const met = new Set(rows.filter((row) => row.state === 'approved').map((row) => row.gate_type))
    return rows.filter((row) => row.state === 'rejected' && !met.has(row.gate_type)).map(gateOf)
  }

  #keyed(project: string | undefined): string | undefined {
    return project === undefined ? undefined : this.#projectKey(project)
  }

  #approvalRow(gate: GateRow, by: string) {
    const entry: NewKnowledge = {
      ...aboutGate(gate),
      kind: 'gate_approval',
      approvedApproach: gate.approach,
    }
    const source = {
      id: deterministicUuid('gate', gate.id, 'approval'),
      projectId: gate.project_id,
      task: taskSource(gate.feature, gate.task_id),
      by,
    }
    return stagingRow(entry, source, this.#clock())
  }

  async #settle(
    db: StorageTransaction,
    id: string,
    changes: { state: 'approved' | 'rejected'; feedback?: string },
    { account, how, saidToBe = '' }: Decided,
  ): Promise<GateRow> {
    const who = { decided_by: saidToBe, decided_account: account, decided_how: how }
    const decided = await db
      .updateTable('gates')
      .set({ ...changes, ...who, decided_at: this.#clock() })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .returningAll()
      .executeTakeFirst()
    if (decided) return decided
    const former = gateOf(await findGate(db, id, { here: this.#here }))
    throw new RalphError('conflict', `this gate was already ${decisionOf(former)}`, {
      hint: 'ralph gate list shows what still waits.',
    })
  }
}

/** What rejection and approval have in common. */
function aboutGate(row: GateRow) {
  const { project, agentType, taskType, technology, taskTitle, taskDescription, gateType } = gateOf(row)
  return { project, agentType, taskType, technology, taskTitle, taskDescription, gateType }
}

function rejectionId(gate: GateRow): string {
  return deterministicUuid('gate', gate.id, 'rejection')
}

function gatesOf(
  db: Queries,
  task: { projectId: string; taskId: string; gateType: string },
): Promise<GateRow[]> {
  return db
    .selectFrom('gates')
    .selectAll()
    .where('project_id', '=', task.projectId)
    .where('task_id', '=', task.taskId)
    .where('gate_type', '=', task.gateType)
    .orderBy('created_at')
    .execute()
}
