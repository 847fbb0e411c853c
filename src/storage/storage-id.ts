import { randomUUID } from 'node:crypto'
import type { Storage } from './storage.ts'

export const STORAGE_ID_KEY = 'storage.id'

/** Which storage this is, wherever it lies: a person's own, or that of a team. A copy of its rows has another: what an index knows of one does not hold for the other. */
export async function storageId({ db }: Storage): Promise<string> {
  const stored = () =>
    db.selectFrom('settings').select('value').where('key', '=', STORAGE_ID_KEY).executeTakeFirst()
  let row = await stored()
  if (!row) {
    await db
      .insertInto('settings')
      .values({ key: STORAGE_ID_KEY, value: JSON.stringify(randomUUID()), updated_at: Date.now() })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    row = await stored()
  }
  return JSON.parse(row!.value)
}
