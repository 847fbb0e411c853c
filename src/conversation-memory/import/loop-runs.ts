import type { Storage } from '../../storage/storage.ts'
import { readValue, writeValue } from '../../storage/stored-values.ts'
import { isLoopPrompt, LOOP_OPENINGS } from '../../transcripts/own-marks.ts'

const DONE = 'conversations.loop_runs_forgotten'

/**
 * Runs of the loop that earlier versions took for conversations, with their sub-agents; feature memory has them. Looked
 * for once in the life of a store.
 */
export async function storedLoopRuns(storage: Storage): Promise<string[]> {
  const { db } = storage
  if (await readValue(db, DONE)) return []
  const rows = await db
    .selectFrom('exchanges')
    .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
    .select(['conversations.id', 'exchanges.user_message'])
    .where('exchanges.position', '=', 0)
    // A person who went on with one talked in it: that one is theirs.
    .where('conversations.exchange_count', '=', 1)
    .where((where) =>
      where.or(LOOP_OPENINGS.map((opening) => where('exchanges.user_message', 'like', `${opening}%`))),
    )
    .execute()
  const runs = rows.filter(({ user_message }) => isLoopPrompt(user_message)).map(({ id }) => id)
  if (runs.length === 0) return []
  const started = await db.selectFrom('conversations').select('id').where('parent_id', 'in', runs).execute()
  return [...runs, ...started.map(({ id }) => id)]
}

export function noteLoopRunsForgotten({ db }: Storage): Promise<void> {
  return writeValue(db, DONE, true, Date.now())
}
