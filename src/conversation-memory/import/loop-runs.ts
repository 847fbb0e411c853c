import type { Person } from '../../identity/person.ts'
import type { Queries, Storage } from '../../storage/storage.ts'
import { readOwnValue, writeOwnValue } from '../../storage/stored-values.ts'
import { isLoopPrompt, LOOP_OPENINGS } from '../../transcripts/own-marks.ts'

const DONE = 'conversations.loop_runs_forgotten'

/** Looked for once among the conversations of a person. */
export async function forgetLoopRuns(
  { db }: Storage,
  person: Person,
  forget: (conversationId: string) => Promise<void>,
): Promise<void> {
  if (await readOwnValue(db, person.id, DONE)) return
  for (const id of await storedLoopRuns(db, person)) await forget(id)
  await writeOwnValue(db, person.id, DONE, true, Date.now())
}

/** Runs of the loop that earlier versions took for conversations, with their sub-agents; feature memory has them. */
async function storedLoopRuns(db: Queries, person: Person): Promise<string[]> {
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
