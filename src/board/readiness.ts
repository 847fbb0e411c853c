import type { Task } from './task.ts'

/** Tasks an agent may work on now: open, and everything they wait for is done or was skipped. */
export function readyTasks(tasks: readonly Task[]): Task[] {
  const open = new Set(
    tasks.filter((task) => task.status !== 'done' && task.status !== 'skipped').map((task) => task.id),
  )
  // An id that no task has cannot be waited for; `boardProblems` reports it.
  return tasks.filter(
    (task) =>
      (task.status === 'pending' || task.status === 'in_progress') &&
      !task.blockedBy.some((id) => open.has(id)),
  )
}

/** The tasks that wait for each other in a circle, each circle once, in order. */
export function waitingCircles(tasks: readonly Task[]): number[][] {
  const waitsFor = new Map(tasks.map((task) => [task.id, task.blockedBy]))
  const state = new Map<number, 'open' | 'closed'>()
  const circles: number[][] = []
  for (const { id } of tasks) {
    // Iterative: a chain of a thousand tasks must not exhaust the stack.
    const path: number[] = []
    const pending: { id: number; leave: boolean }[] = [{ id, leave: false }]
    while (pending.length > 0) {
      const step = pending.pop()!
      if (step.leave) {
        state.set(step.id, 'closed')
        path.pop()
        continue
      }
      if (state.get(step.id) === 'open') {
        circles.push(path.slice(path.indexOf(step.id)))
        continue
      }
      if (state.has(step.id) || !waitsFor.has(step.id)) continue
      state.set(step.id, 'open')
      path.push(step.id)
      pending.push({ id: step.id, leave: true })
      for (const next of [...waitsFor.get(step.id)!].reverse()) pending.push({ id: next, leave: false })
    }
  }
  return circles
}
