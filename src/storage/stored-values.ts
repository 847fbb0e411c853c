import type { Queries } from './storage.ts'

/** Small things that a memory keeps under a name of their own, as JSON. Undefined where nothing is kept. */
export async function readValue(db: Queries, key: string): Promise<unknown> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row && JSON.parse(row.value)
}

/** The same of one person. */
export async function readOwnValue(db: Queries, person: string, key: string): Promise<unknown> {
  const row = await db
    .selectFrom('person_settings')
    .select('value')
    .where('person', '=', person)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && JSON.parse(row.value)
}

export async function writeOwnValue(
  db: Queries,
  person: string,
  key: string,
  value: unknown,
  now: number,
): Promise<void> {
  const row = { person, key, value: JSON.stringify(value), updated_at: now }
  await db
    .insertInto('person_settings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['person', 'key']).doUpdateSet(row))
    .execute()
}

export async function writeValue(db: Queries, key: string, value: unknown, now: number): Promise<void> {
  const row = { key, value: JSON.stringify(value), updated_at: now }
  await db
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
}
