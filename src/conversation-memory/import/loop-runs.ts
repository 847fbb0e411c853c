import type { Person } from '../../identity/person.ts'
import type { Storage } from '../../storage/storage.ts'
import { readOwnValue, writeOwnValue } from '../../storage/stored-values.ts'
import { isLoopPrompt, LOOP_OPENINGS } from '../../transcripts/own-marks.ts'

const DONE = 'conversations.loop_runs_forgotten'

/**
 * Runs of the loop that earlier versions took for conversations, with their sub-agents; feature memory has them. Looked
 * for once among those of a person.
 */
export async function storedLoopRuns({ db }: Storage, person: Person): Promise<string[]> {
  if (await readOwnValue(db, person.id, DONE)) return []
  const rows = await db
    .selectFrom('exchanges')
    .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
    .select(['conversations.id', 'exchanges.user_message'])
    .where('conversations.person', '=', person.id)
    .where('exchanges.position', '=', 0)
    // A person who went on with one talked in it: that one is theirs.
    .where('conversations.exchange_count', '=', 1)
    .where((where) =>
      where.or(LOOP_OPENINGS.map((opening) => where('exchanges.user_message', 'like', `${opening}%`))),
    )
    .execute()
  const runs = rows.filter(({ user_message }) => isLoopPrompt(user_message)).map(({ id }) => id)
  if (runs.length === 0) return []
  const started = await db
    .selectFrom('conversations')
    .select('id')
    .where('person', '=', person.id)
    .where('parent_id', 'in', runs)
    .execute()
  return [...runs, ...started.map(({ id }) => id)]
}

export function noteLoopRunsForgotten({ db }: Storage, person: Person): Promise<void> {
  return writeOwnValue(db, person.id, DONE, true, Date.now())
}
