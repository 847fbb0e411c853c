import type { Task } from '../board/task.ts'
import { sha256 } from '../text/ids.ts'

/** Tasks that did not change are the same objects from reading to reading. */
const hashes = new WeakMap<Task, string>()

/**
 * The state of all tasks as one hash. Taken from the guarded board before anything is extracted or learned, so that
 * neither a file an agent wrecked nor our own bookkeeping passes for progress.
 */
export function taskState(tasks: readonly Task[]): string {
  // The order of entries is only layout.
  return sha256(
    [...tasks]
      .sort((a, b) => a.id - b.id)
      .map(hashOf)
      .join(),
  )
}

function hashOf(task: Task): string {
  const known = hashes.get(task)
  if (known !== undefined) return known
  const { completed: _ours, ...facts } = task
  const hash = sha256(JSON.stringify(facts))
  hashes.set(task, hash)
  return hash
}
