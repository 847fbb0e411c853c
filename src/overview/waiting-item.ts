import { shortId } from '../text/short-id.ts'

/** In the order in which a person would look at them. */
const WAITING_KINDS = ['gate', 'conflict', 'trust', 'copy', 'board', 'learnings', 'due_review'] as const
export type WaitingKind = (typeof WAITING_KINDS)[number]

/** Something that waits for a person. */
export interface WaitingItem {
  kind: WaitingKind
  /** What it is about, as memory or the board has it. */
  about: string
  /** What there is to do about it. */
  detail: string
  /** For how many things it stands. */
  count: number
  feature?: string
  /** Of the gate, or of the learning to begin with. */
  id?: string
  /** ISO 8601. */
  since?: string
  /** What settles it in a shell. */
  command: string
}

export interface WaitingReport {
  /** How many things wait in all. */
  count: number
  items: WaitingItem[]
  /** What could not be looked at. */
  troubles: { part: string; message: string; hint?: string }[]
}

/** The most pressing first. */
export function waitingReport(
  items: readonly WaitingItem[],
  troubles: WaitingReport['troubles'] = [],
): WaitingReport {
  const sorted = [...items].sort((a, b) => WAITING_KINDS.indexOf(a.kind) - WAITING_KINDS.indexOf(b.kind))
  return { count: sorted.reduce((sum, { count }) => sum + count, 0), items: sorted, troubles }
}

interface WaitingGate {
  id: string
  gateType: string
  taskId: string
  taskTitle: string
  feature?: string | undefined
  attempt: number
  createdAt: string
}

export function gateItem(gate: WaitingGate): WaitingItem {
  const { id, gateType, taskId, taskTitle, feature, attempt, createdAt } = gate
  return {
    kind: 'gate',
    about: `task ${taskId}: ${taskTitle}`,
    detail: `waits at the gate ${gateType}${attempt > 1 ? `, for the ${ordinal(attempt)} time` : ''}`,
    count: 1,
    ...(feature && { feature }),
    id,
    since: createdAt,
    command: `ralph gate show ${shortId('gate', id)}`,
  }
}

function ordinal(number: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][
    number % 10 > 3 || (number % 100 > 10 && number % 100 < 14) ? 0 : number % 10
  ]
  return `${number}${ending}`
}
