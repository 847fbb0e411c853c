import { throwIfAborted } from '../errors.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { Storage } from '../storage/storage.ts'
import { EXCHANGES, SUMMARIES } from './documents.ts'

const PAGE = 500

/** Removes from an index what the history has no longer: it may have been put aside while things were forgotten. */
export async function removeForgotten(
  index: SearchIndex,
  storage: Storage,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  for (const collection of [EXCHANGES, SUMMARIES]) {
    for (let after: string | undefined; ; ) {
      throwIfAborted(signal)
      const page = await index.scan(collection, { limit: PAGE, ...(after !== undefined && { after }) })
      if (page.length === 0) break
      const itemOf = ({ payload }: (typeof page)[number]) =>
        String(payload[collection === EXCHANGES ? 'exchange' : 'conversation'])
      const rows = await storage.db
        .selectFrom(collection === EXCHANGES ? 'exchanges' : 'conversations')
        .select('id')
        .where('id', 'in', page.map(itemOf))
        .execute()
      const kept = new Set(rows.map(({ id }) => id))
      const gone = page.filter((document) => !kept.has(itemOf(document)))
      if (gone.length > 0)
        await index.remove(
          collection,
          gone.map(({ id }) => id),
        )
      removed += gone.length
      after = page.at(-1)!.id
    }
  }
  return removed
}
