import { closeSync, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { fileError, isRalphError, messageOf } from '../errors.ts'
import { makeOwnFolder, openOwnFileNow, requireOwnDatabase } from '../files/own-files.ts'
import { claimUsing } from './claim.ts'
import { lostTables } from './lost-tables.ts'
import { MIGRATIONS, type Migration } from './migrations/migrations.ts'
import { type MigrationDialect, runMigrations } from './migrations/run-migrations.ts'
import { type StandIn, sqliteDialect } from './sqlite-driver.ts'
import { damaged } from './sqlite-errors.ts'
import { isTorn } from './sqlite-file.ts'
import { openWriter } from './sqlite-statements.ts'
import type { Storage, StorageHealth } from './storage.ts'
import type { Tables } from './tables.ts'

export interface SqliteStorageOptions {
  /** The database file; it and its folder are made when absent, readable by their owner only. */
  path: string
  /** No file is made before something is written: until then an empty one in memory answers whoever only looks. */
  madeByWriting?: boolean
  busyTimeoutMs?: number
  migrations?: readonly Migration[]
}

/** Opens the database file, any number of processes at once, and brings its tables up to date. */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const { path, busyTimeoutMs = 10_000, migrations = MIGRATIONS } = options
  const standIn = options.madeByWriting && !existsSync(path) ? await standInFor(options) : undefined
  if (!standIn) makePrivateFile(path)
  if (!standIn && (await isTorn(path))) throw damaged(path)
  const db = new Kysely<Tables>({ dialect: sqliteDialect({ path, busyTimeoutMs, standIn }) })
  const transaction: Storage['transaction'] = (work) => db.transaction().execute(work)
  if (!standIn) await migrated(db, migrations)
  const isUnmade = () => standIn !== undefined && !existsSync(path)
  return {
    dialect: 'sqlite',
    db,
    transaction,
    // A transaction holds the only write lock there is: no other claim can be looking at the same rows.
    claim: claimUsing(transaction, (query) => query),
    revision: async () => (isUnmade() ? NOTHING_YET : revision(db)),
    check: async (options) =>
      isUnmade() ? { ok: true, detail: `sqlite at ${path}, ${NOTHING_YET}` } : check(db, path, options),
    close: () => db.destroy(),
  }
}

const NOTHING_YET = 'nothing stored yet'

async function standInFor(options: SqliteStorageOptions): Promise<StandIn> {
  const makeFile = async () => {
    await (await openSqliteStorage({ ...options, madeByWriting: false })).close()
  }
  return { database: await emptyTables(options.migrations), makeFile }
}

/** A database in memory with all tables as they are made today. */
export async function emptyTables(migrations: readonly Migration[] = MIGRATIONS): Promise<DatabaseSync> {
  const database = openWriter(':memory:')
  const dialect = sqliteDialect({ path: ':memory:', busyTimeoutMs: 0, standIn: { database } })
  await migrated(new Kysely<Tables>({ dialect }), migrations)
  return database
}

async function migrated(db: Kysely<Tables>, migrations: readonly Migration[]): Promise<void> {
  try {
    await runMigrations(db, migrationDialect, migrations)
  } catch (error) {
    await db.destroy()
    throw error
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

async function check(db: Kysely<Tables>, path: string, { thorough = false } = {}): Promise<StorageHealth> {
  try {
    const version = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
    const lost = await lostTables(db, path)
    if (lost) return { ok: false, ...lost }
    await db.selectFrom('settings').select('key').limit(1).execute()
    const fault = thorough ? await firstFault(db) : undefined
    if (fault !== undefined)
      return { ok: false, detail: `${path} is damaged: ${fault}`, hint: hintFor(fault, path) }
    return { ok: true, detail: `sqlite ${version.rows[0]?.version} at ${path}` }
  } catch (error) {
    const hint = isRalphError(error) ? error.hint : undefined
    return { ok: false, detail: messageOf(error), ...(hint ? { hint } : {}) }
  }
}

/** What SQLite itself finds wrong with the file. */
async function firstFault(db: Kysely<Tables>): Promise<string | undefined> {
  const { fault } = await db
    .selectFrom(
      sql<{ fault: string }>`(select integrity_check as fault from pragma_integrity_check limit 1)`.as(
        'found',
      ),
    )
    .select('fault')
    .executeTakeFirstOrThrow()
  const [first, ...others] = fault.split('\n').filter((line) => !line.startsWith('***'))
  return fault === 'ok' ? undefined : `${first}${others.length > 0 ? `, and ${others.length} more` : ''}`
}

/** An index is made of its table; of anything else what can still be read is what there is. */
function hintFor(fault: string, path: string): string {
  return /index/i.test(fault)
    ? 'ralph doctor --fix brings it into order.'
    : `Restore ${path} from a backup. Without one, ralph doctor --fix carries over what can still be read, and keeps the damaged one.`
}
