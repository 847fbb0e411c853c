import type { Board } from '../board/board.ts'
import type { Task } from '../board/task.ts'
import type { Gate, GateRequest, ListedGate } from '../project-knowledge/gate.ts'
import { filingOf } from './filing.ts'
import { workingChange } from './working-change.ts'

/** Everything a person needs to judge the work on a task, and a similar task later to find what they said. */
export async function gateRequest(
  { project, board }: { project: string; board: Pick<Board, 'findFeature' | 'stampCompletion'> },
  task: Task,
  { gateType, approach }: { gateType: string; approach: string },
): Promise<GateRequest> {
  // A decision that is made elsewhere is told from a later change by it.
  if (task.status === 'done' && task.completed === undefined) await board.stampCompletion(task.id)
  const filing = await filingOf(project, task, await board.findFeature(task.feature))
  return {
    ...filing,
    project,
    feature: task.feature,
    taskId: task.id,
    taskTitle: task.title,
    taskDescription: task.description,
    gateType,
    approach,
    change: await workingChange(project),
  }
}

export interface RejectionParts<Decision> {
  gates: {
    show(id: string): Promise<Gate>
    reject(id: string, words: Rejection): Promise<Decision>
  }
  board: Pick<Board, 'tasks' | 'patchTask'>
  identity: { key(): Promise<{ key: string }> }
}

export interface Rejection {
  feedback: string
  by?: string | undefined
}

/**
 * Rejects work and sends it back: its task is pending again. A gate may outlive its task, and belongs to the project it
 * was asked in.
 */
export async function rejectWork<Decision>(
  { gates, board, identity }: RejectionParts<Decision>,
  id: string,
  words: Rejection,
): Promise<Decision & { sentBack: boolean }> {
  const { projectId, taskId } = await gates.show(id)
  const isHere = projectId === (await identity.key()).key
  // Read before anything is decided: a board that cannot be read is mended first.
  const task = isHere ? (await board.tasks()).find((one) => String(one.id) === taskId) : undefined
  const decision = await gates.reject(id, words)
  if (task && task.status !== 'pending') await board.patchTask(task.id, { status: 'pending' })
  return { ...decision, sentBack: task !== undefined }
}

export interface SendBackParts {
  gates: { rejected(options: { project: string }): Promise<ListedGate[]> }
  board: Pick<Board, 'tasks' | 'updateTask'>
  project: string
}

/**
 * Work that was rejected on another clone and that this board still calls done, because it only hears of it by git. A task
 * that was done again since, or that somebody has put elsewhere, has had its answer.
 */
export async function rejectedElsewhere({ gates, board, project }: SendBackParts): Promise<ListedGate[]> {
  const done = new Map((await board.tasks({ status: 'done' })).map((task) => [String(task.id), task]))
  if (done.size === 0) return []
  return (await gates.rejected({ project })).filter((gate) => wasDoneWhenAsked(done.get(gate.taskId), gate))
}

/** Sends it back as a rejection on this clone would have: its task is pending again. Returns what it sent back. */
export async function sendBackRejected(parts: SendBackParts): Promise<ListedGate[]> {
  const sent: ListedGate[] = []
  for (const gate of await rejectedElsewhere(parts)) {
    let isSent = false
    await parts.board.updateTask(Number(gate.taskId), (task) => {
      isSent = wasDoneWhenAsked(task, gate)
      return isSent ? { status: 'pending' } : {}
    })
    if (isSent) sent.push(gate)
  }
  return sent
}

/** Both times are of the clone that asked, so no two clocks are compared. */
function wasDoneWhenAsked(task: Task | undefined, { createdAt }: ListedGate): boolean {
  if (task?.status !== 'done' || task.completed === undefined) return false
  return Date.parse(task.completed) <= Date.parse(createdAt)
}
