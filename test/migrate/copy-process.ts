// Run as a process of its own, to be killed: copies a SQLite file to PostgreSQL and prints how far it is.
import { writeSync } from 'node:fs'
import { copyStorage } from '../../src/migrate/storage-copy.ts'
import { openPostgresStorage } from '../../src/storage/postgres.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'

const [path = '', url = ''] = process.argv.slice(2)
const source = await openSqliteStorage({ path })
const target = await openPostgresStorage({ url })
await copyStorage(
  { storage: source, person: 'person' },
  { storage: target, person: 'person' },
  {
    sourceName: 'the test',
    onProgress: ({ phase, table, done }) => writeSync(1, `${phase} ${table} ${done}\n`),
  },
)
await source.close()
await target.close()
