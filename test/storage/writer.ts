// Writes pairs of rows, each pair in a transaction, and prints a line for each one that was acknowledged.
import { writeSync } from 'node:fs'
import { openTarget } from './open-target.ts'

const [target = '', prefix = '', howMany = '0'] = process.argv.slice(2)
const storage = await openTarget(JSON.parse(target))
for (let index = 0; index < Number(howMany); index++) {
  const name = `${prefix}${index}`
  await storage.transaction(async (db) => {
    await db
      .insertInto('settings')
      .values({ key: `${name}/left`, value: '1', updated_at: 1 })
      .execute()
    await db
      .insertInto('settings')
      .values({ key: `${name}/right`, value: '1', updated_at: 1 })
      .execute()
  })
  writeSync(1, `${name}\n`)
}
await storage.close()
