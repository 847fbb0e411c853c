import { isRalphError, RalphError } from '../errors.ts'
import type { Notices } from '../notices.ts'
import type { SearchIndex } from '../search-index/search-index.ts'

/**
 * An index that throws itself away when it is damaged: everything in it can be made again, and half of it is worse than
 * none. The call that met the damage still fails, since what went before it is gone as well; `againOnceMended` repeats
 * the whole of the work.
 */
export function mendingIndex(
  index: SearchIndex,
  { notices, of }: { notices: Notices; of: string },
): SearchIndex {
  const mending = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (!isRalphError(error) || error.code !== 'damaged') throw error
      const busy = await resetUnlessBusy(index)
      if (!busy) {
        notices.once({
          key: `index.mended.${of}`,
          message: `the search index of ${of} was damaged: it is built again from what is stored, nothing is lost`,
        })
      }
      // Whoever is using it may be the one who has mended it: worth another look.
      const hint = busy?.hint
      throw new RalphError('damaged', error.message, { retryable: true, cause: error, ...(hint && { hint }) })
    }
  }
  return {
    find: (...given) => mending(() => index.find(...given)),
    collections: (...given) => mending(() => index.collections(...given)),
    write: (...given) => mending(() => index.write(...given)),
    read: (...given) => mending(() => index.read(...given)),
    search: (...given) => mending(() => index.search(...given)),
    // What was to be dropped has gone with the rest.
    drop: (...given) => againOnceMended(() => mending(() => index.drop(...given))),
    check: (...given) => index.check(...given),
    reset: () => index.reset(),
    close: () => index.close(),
  }
}

/** For work that begins with what is stored, not with what the index holds: done again when the index had to be emptied. */
export async function againOnceMended<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isRalphError(error) || error.code !== 'damaged' || !error.retryable) throw error
    return work()
  }
}

/** The index cannot be asked: whoever knows another way goes it. */
export function isOutOfOrder(error: unknown): error is RalphError {
  return isRalphError(error) && error.code !== 'cancelled' && error.code !== 'invalid_input'
}

/** It can be read and not written: a key that may only read, a full disk, a document that is too large. */
export function isOnlyUnwritable(error: unknown): error is RalphError {
  return isRalphError(error) && ['read_only', 'disk_full', 'limit_reached'].includes(error.code)
}

/** The refusal, when another process uses it. */
async function resetUnlessBusy(index: SearchIndex): Promise<RalphError | undefined> {
  try {
    await index.reset()
    return undefined
  } catch (error) {
    if (isRalphError(error) && error.code === 'conflict') return error
    throw error
  }
}
