import type { EntryStore } from './entry-store.ts'
import type { Task } from './task.ts'

/** No task waits for one that is not there. Returns what it did, in words. */
export async function waitForNothingGone(tasks: EntryStore<Task>): Promise<string[]> {
  const all = await tasks.all()
  const ids = new Set(all.map(({ id }) => id))
  const done: string[] = []
  for (const { id, blockedBy } of all) {
    const gone = blockedBy.filter((other) => !ids.has(other))
    if (gone.length === 0) continue
    await tasks.patch(id, () => ({ blockedBy: blockedBy.filter((other) => ids.has(other)) }))
    done.push(`task ${id} no longer waits for ${gone.join(', ')}`)
  }
  return done
}
