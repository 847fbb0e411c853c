import type { Task } from '../board/task.ts'
import type { FeatureHistory, Histories } from './history.ts'
import { queueTasks, type WhyNot, type WorkSelection } from './select-task.ts'

/** What the next iteration does. */
export type Work = { kind: 'task'; task: Task } | { kind: 'review'; feature: string }

export interface WorkRequest extends WorkSelection {
  reviewEvery: number
}

/**
 * A review when a feature is due for one, else the task that is first in the queue; undefined when nothing is ready.
 * `whyNot`: why nobody can work on a task now, or, without one, on a review.
 */
export async function chooseWork(
  tasks: readonly Task[],
  histories: Histories,
  request: WorkRequest,
  whyNot: WhyNot = () => undefined,
): Promise<Work | undefined> {
  const ready = queueTasks(tasks, request, () => 0)
  const past = new Map<string, FeatureHistory>()
  for (const feature of new Set(ready.map((task) => task.feature)))
    past.set(feature, await histories.of(feature))
  const [task] = queueTasks(
    tasks,
    request,
    ({ id, feature }) => past.get(feature)?.recentFailures(id) ?? 0,
  ).filter((one) => whyNot(one) === undefined)
  if (!task) return undefined
  const reviews = request.reviewEvery > 0 && request.task === undefined && whyNot() === undefined
  if (reviews && past.get(task.feature)!.iterationsSinceReview >= request.reviewEvery) {
    return { kind: 'review', feature: task.feature }
  }
  return { kind: 'task', task }
}
