import type { Task } from '../board/task.ts'
import { sha256 } from '../text/ids.ts'

/**
 * The state of all tasks as one hash. Taken from the guarded board before anything is extracted or learned, so that
 * neither a file an agent wrecked nor our own bookkeeping passes for progress.
 */
export function taskState(tasks: readonly Task[]): string {
  // `completed` is our own time stamp, and the order of entries is only layout.
  const facts = [...tasks].sort((a, b) => a.id - b.id).map(({ completed: _, ...task }) => task)
  return sha256(JSON.stringify(facts))
}

/** Counts iterations that changed nothing. */
export class StagnationCheck {
  readonly #limit: number
  #unchanged = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  note(before: string, after: string): void {
    this.#unchanged = before === after ? this.#unchanged + 1 : 0
  }

  get unchanged(): number {
    return this.#unchanged
  }

  get reached(): boolean {
    return this.#unchanged >= this.#limit
  }
}
