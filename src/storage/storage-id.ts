import { randomUUID } from 'node:crypto'
import type { Storage } from './storage.ts'

const KEY = 'storage.id'

/** Which storage this is, wherever it lies: a person's own, or that of a team. Copied along with everything else. */
export async function storageId({ db }: Storage): Promise<string> {
  const stored = () => db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  let row = await stored()
  if (!row) {
    await db
      .insertInto('settings')
      .values({ key: KEY, value: JSON.stringify(randomUUID()), updated_at: Date.now() })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    row = await stored()
  }
  return JSON.parse(row!.value)
}
