import type { Task } from '../board/task.ts'
import type { Histories } from './history.ts'
import { queueTasks, type Selection } from './select-task.ts'

/** What the next iteration does. */
export type Work = { kind: 'task'; task: Task } | { kind: 'review'; feature: string }

export interface WorkRequest extends Selection {
  reviewEvery: number
}

/** A review when a feature is due for one, else the task that is first in the queue; undefined when nothing is ready. */
export async function chooseWork(
  tasks: readonly Task[],
  histories: Histories,
  request: WorkRequest,
): Promise<Work | undefined> {
  const failures = new Map<number, number>()
  for (const task of queueTasks(tasks, request, () => 0)) {
    failures.set(task.id, (await histories.of(task.feature)).recentFailures(task.id))
  }
  const [task] = queueTasks(tasks, request, ({ id }) => failures.get(id) ?? 0)
  if (!task) return undefined
  const due = request.reviewEvery > 0 && request.task === undefined
  if (due && (await histories.of(task.feature)).iterationsSinceReview >= request.reviewEvery) {
    return { kind: 'review', feature: task.feature }
  }
  return { kind: 'task', task }
}
