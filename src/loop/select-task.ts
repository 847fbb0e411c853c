import { readyTasks } from '../board/readiness.ts'
import type { Task } from '../board/task.ts'

export interface WorkSelection {
  feature?: string | undefined
  task?: number | undefined
}

/** Why nobody can work on a task, or on anything that names no agent; undefined when somebody can. */
export type WhyNot = (task?: Task) => string | undefined

/** How often the task's latest iterations failed. */
export type RecentFailures = (task: Task) => number

/** Ready tasks in the order in which they should be worked on: priority, then fewest recent failures, then age. */
export function queueTasks(
  tasks: readonly Task[],
  selection: WorkSelection,
  recentFailures: RecentFailures,
): Task[] {
  return readyTasks(tasks)
    .filter((task) => isWanted(task, selection))
    .map((task) => ({ task, failures: recentFailures(task) }))
    .sort(
      (a, b) =>
        a.task.priority - b.task.priority ||
        a.failures - b.failures ||
        // Work that was begun is finished first.
        Number(b.task.status === 'in_progress') - Number(a.task.status === 'in_progress') ||
        a.task.id - b.task.id,
    )
    .map(({ task }) => task)
}

/** Why there is nothing to do, in words; `done` when that is good news, `noAgent` when only somebody to do it is missing. */
export function whyNothing(
  tasks: readonly Task[],
  selection: WorkSelection,
  whyNot: WhyNot = () => undefined,
): { done: boolean; noAgent?: boolean; reason: string } {
  const wanted = tasks.filter((task) => isWanted(task, selection))
  const what = describeSelection(selection)
  if (tasks.length === 0) {
    return { done: false, reason: 'there are no tasks (ralph task add "TITLE" --feature NAME)' }
  }
  if (wanted.length === 0) return { done: false, reason: `there are no tasks${what}` }
  const open = wanted.filter((task) => task.status !== 'done' && task.status !== 'skipped')
  if (open.length === 0)
    return {
      done: true,
      reason: `${wanted.length === 1 ? 'the task' : `all ${wanted.length} tasks`}${what} ${wanted.length === 1 ? 'is' : 'are'} done`,
    }
  const left = queueTasks(tasks, selection, () => 0)
  if (left.length > 0) {
    const reasons = new Set(left.map((task) => whyNot(task)))
    const which = `${left.length === 1 ? 'task' : 'tasks'} ${left
      .slice(0, 10)
      .map(({ id }) => id)
      .join(', ')}`
    return { done: false, noAgent: true, reason: `nobody can work on ${which}: ${[...reasons].join('; ')}` }
  }
  const waiting = open.slice(0, 10).map((task) => {
    if (task.status === 'blocked') return `${task.id} (marked as blocked)`
    return `${task.id} (waits for ${task.blockedBy.join(', ')})`
  })
  const more = open.length > waiting.length ? `, and ${open.length - waiting.length} more` : ''
  return { done: false, reason: `no task${what} is ready: ${waiting.join(', ')}${more}` }
}

function isWanted(task: Task, { feature, task: id }: WorkSelection): boolean {
  return (feature === undefined || task.feature === feature) && (id === undefined || task.id === id)
}

function describeSelection({ feature, task }: WorkSelection): string {
  if (task !== undefined) return ` with id ${task}`
  return feature === undefined ? '' : ` in feature "${feature}"`
}
