import type { Board } from '../board/board.ts'
import type { Task } from '../board/task.ts'
import type { Gate, GateRequest } from '../project-knowledge/gate.ts'
import { filingOf } from './filing.ts'
import { workingChange } from './working-change.ts'

/** Everything a person needs to judge the work on a task, and a similar task later to find what they said. */
export async function gateRequest(
  { project, board }: { project: string; board: Pick<Board, 'findFeature'> },
  task: Task,
  { gateType, approach }: { gateType: string; approach: string },
): Promise<GateRequest> {
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
