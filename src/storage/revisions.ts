import type { Queries, StorageTransaction } from './storage.ts'

/** Every change of a conversation, an exchange or a piece of a document gets a number, higher than all before: so one knows what one has not seen. */
const REVISION = 'conversations.revision'

/** Reserves `count` revisions and returns the last of them. */
export async function nextRevisions(db: StorageTransaction, count: number): Promise<number> {
  const row = await db
    .insertInto('counters')
    .values({ name: REVISION, value: count })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((excluded) => ({
        value: excluded('counters.value', '+', count),
      })),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return Number(row.value)
}

export async function newestRevision(db: Queries): Promise<number> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', REVISION).executeTakeFirst()
  return Number(row?.value ?? 0)
}

/** Lets all revisions from now on be higher than one of another database: whoever has seen that one has missed nothing here. */
export async function raiseRevisions(db: StorageTransaction, atLeast: number): Promise<void> {
  const newest = await newestRevision(db)
  if (newest < atLeast) await nextRevisions(db, atLeast - newest)
}
