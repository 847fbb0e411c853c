import { RalphError } from '../errors.ts'
import type { GateRow } from '../storage/tables.ts'
import { preprocess, z } from '../text/schema.ts'
import { DECISION_WAYS, type DecisionWay, decidedWords } from '../trust/decision.ts'
import { ENTRY_CAPS } from './entry.ts'
import { optionalText, problemsOf, requiredCutText } from './fields.ts'
import { isoTime } from './rows.ts'

export { changeText, type ReadableChange, readableChange } from './gate-change.ts'

/** Work that waits, or waited, for a person. */
export interface Gate {
  id: string
  /** Where it lay when it asked. */
  project: string
  /** What it is filed under: the project's id, or its path where it has none. */
  projectId: string
  feature: string
  taskId: string
  taskTitle: string
  taskDescription: string
  gateType: string
  agentType: string
  taskType: string
  technology: string
  /** What was done, in the words of whoever did it. */
  approach: string
  /** The change itself, usually a diff. */
  change: string
  /** 1 for the first time this task asks at this gate. */
  attempt: number
  state: 'waiting' | 'approved' | 'rejected'
  feedback: string
  /** A name that was given along; nobody has checked it. */
  decidedBy: string
  /** The account on the machine, and how; empty for what was decided before these were kept. */
  decidedAccount: string
  decidedHow: DecisionWay | ''
  createdAt: string
  decidedAt: string | undefined
}

/** A gate in a list: the change itself may be long, and is read with `show`. */
export type ListedGate = Omit<Gate, 'change'>

const GateRequest = z.object({
  project: requiredCutText(ENTRY_CAPS.name),
  taskId: preprocess(
    (value) => (typeof value === 'number' ? String(value) : value),
    requiredCutText(ENTRY_CAPS.name),
  ),
  gateType: requiredCutText(ENTRY_CAPS.name),
  feature: optionalText(ENTRY_CAPS.name),
  taskTitle: optionalText(ENTRY_CAPS.problem),
  agentType: optionalText(ENTRY_CAPS.name),
  taskType: optionalText(ENTRY_CAPS.name),
  technology: optionalText(ENTRY_CAPS.name),
  /** These are cleaned before they are cut, therefore without a cap here. */
  taskDescription: optionalText(Number.POSITIVE_INFINITY),
  approach: requiredCutText(Number.POSITIVE_INFINITY),
  change: z._default(z.string(), ''),
})
/** What a task hands in. */
export type GateRequest = Omit<z.input<typeof GateRequest>, 'taskId'> & { taskId: string | number }

export function checkedRequest(request: GateRequest): z.output<typeof GateRequest> {
  const parsed = GateRequest.safeParse(request)
  if (parsed.success) return parsed.data
  throw new RalphError('invalid_input', `not a valid request for a gate: ${problemsOf(parsed.error)}`)
}

export function gateOf(row: GateRow): Gate {
  return {
    id: row.id,
    project: row.project,
    projectId: row.project_id,
    feature: row.feature,
    taskId: row.task_id,
    taskTitle: row.task_title,
    taskDescription: row.task_description,
    gateType: row.gate_type,
    agentType: row.agent_type,
    taskType: row.task_type,
    technology: row.technology,
    approach: row.approach,
    change: row.change_text,
    attempt: row.attempt,
    state: row.state,
    feedback: row.feedback,
    decidedBy: row.decided_by,
    decidedAccount: row.decided_account,
    decidedHow: DECISION_WAYS.find((way) => way === row.decided_how) ?? '',
    createdAt: isoTime(row.created_at),
    decidedAt: row.decided_at === null ? undefined : isoTime(row.decided_at),
  }
}

/** "approved by ann (said to be Bob), at a terminal, 2026-02-07T14:30:00Z"; of an earlier one, what is known of it. */
export function decisionOf({ state, decidedBy, decidedAccount, decidedHow, decidedAt }: Gate): string {
  if (decidedHow === '')
    return [state, decidedBy && `said to be by ${decidedBy}`, decidedAt].filter(Boolean).join(', ')
  const decided = { account: decidedAccount, saidToBe: decidedBy, how: decidedHow, at: decidedAt ?? '' }
  return `${state} by ${decidedWords(decided)}`
}
