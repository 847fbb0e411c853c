import { closeSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import { fileError, isRalphError, messageOf } from '../errors.ts'
import { makeOwnFolder, openOwnFileNow, requireOwnDatabase } from '../files/own-files.ts'
import { claimUsing } from './claim.ts'
import { lostTables } from './lost-tables.ts'
import { MIGRATIONS, type Migration } from './migrations/migrations.ts'
import { type MigrationDialect, runMigrations } from './migrations/run-migrations.ts'
import { sqliteDialect } from './sqlite-driver.ts'
import type { Storage, StorageHealth } from './storage.ts'
import type { Tables } from './tables.ts'

export interface SqliteStorageOptions {
  /** The database file; it and its folder are made when absent, readable by their owner only. */
  path: string
  busyTimeoutMs?: number
  migrations?: readonly Migration[]
}

/** Opens the database file, any number of processes at once, and brings its tables up to date. */
export async function openSqliteStorage({
  path,
  busyTimeoutMs = 10_000,
  migrations = MIGRATIONS,
}: SqliteStorageOptions): Promise<Storage> {
  makePrivateFile(path)
  const db = new Kysely<Tables>({ dialect: sqliteDialect({ path, busyTimeoutMs }) })
  const transaction: Storage['transaction'] = (work) => db.transaction().execute(work)
  try {
    await runMigrations(db, migrationDialect, migrations)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    dialect: 'sqlite',
    db,
    transaction,
    // A transaction holds the only write lock there is: no other claim can be looking at the same rows.
    claim: claimUsing(transaction, (query) => query),
    revision: () => revision(db),
    check: () => check(db, path),
    close: () => db.destroy(),
  }
}

/** SQLite would make the file readable by everybody; its side files take over the mode of the file. */
function makePrivateFile(path: string): void {
  try {
    makeOwnFolder(dirname(path), 0o700)
    requireOwnDatabase(path)
    closeSync(openOwnFileNow(path, 'append', 0o600))
  } catch (error) {
    throw fileError(error, path, 'opening the database')
  }
}

const migrationDialect: MigrationDialect = {
  async tableExists(db, table) {
    const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(
      db,
    )
    return rows.length > 0
  },
  async lock() {
    // Every transaction of the driver begins IMMEDIATE, which is the lock.
  },
}

/** Asked of the connection that only reads: to it, our own commits are another's too. */
async function revision(db: Kysely<Tables>): Promise<string> {
  const { version } = await db
    .selectFrom(sql<{ version: number }>`(select data_version as version from pragma_data_version)`.as('now'))
    .select('version')
    .executeTakeFirstOrThrow()
  return String(version)
}

async function check(db: Kysely<Tables>, path: string): Promise<StorageHealth> {
  try {
    const version = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
    const lost = await lostTables(db, path)
    if (lost) return { ok: false, ...lost }
    await db.selectFrom('settings').select('key').limit(1).execute()
    return { ok: true, detail: `sqlite ${version.rows[0]?.version} at ${path}` }
  } catch (error) {
    const hint = isRalphError(error) ? error.hint : undefined
    return { ok: false, detail: messageOf(error), ...(hint ? { hint } : {}) }
  }
}
