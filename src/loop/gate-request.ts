import type { Board } from '../board/board.ts'
import type { Task } from '../board/task.ts'
import type { GateRequest } from '../project-knowledge/gate.ts'
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
