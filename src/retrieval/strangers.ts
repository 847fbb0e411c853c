import type { Notices } from '../notices.ts'
import { isOutOfOrder } from './mending.ts'

export interface Clearing {
  notices: Notices
  /** Whose index it is, in words. */
  of: string
  /** Takes these documents out. */
  some: (ids: readonly string[]) => Promise<void>
  /** Compares all of it with what is stored. */
  all: () => Promise<void>
}

/**
 * An index finds, it is not believed: a document of which nothing is stored is shown to nobody. But hundreds of them, which whoever
 * reaches a server can put there, would stand before all that is true. So whoever meets some takes them out and asks again; where there are still
 * more, all of it is compared with what is stored, which is said.
 */
export async function withoutStrangers<Result>(
  ask: (strangers: Set<string>) => Promise<Result>,
  { notices, of, some, all }: Clearing,
): Promise<Result> {
  const met = new Set<string>()
  const result = await ask(met)
  if (met.size === 0 || !(await isCleared(() => some([...met])))) return result
  const again = new Set<string>()
  const second = await ask(again)
  if (again.size === 0) return second
  notices.once({
    key: `index.strange:${of}`,
    message: `the search index of ${of} held what is stored nowhere: it was compared with what is, and that is gone`,
  })
  return (await isCleared(all)) ? ask(new Set()) : second
}

/** False where it can only be read: then strangers are left out each time. */
async function isCleared(clear: () => Promise<void>): Promise<boolean> {
  try {
    await clear()
    return true
  } catch (error) {
    if (!isOutOfOrder(error)) throw error
    return false
  }
}
