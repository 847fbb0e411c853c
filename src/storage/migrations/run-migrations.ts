import type { Kysely, Transaction } from 'kysely'
import { RalphError } from '../../errors.ts'
import { updateCommand } from '../../installation.ts'
import type { Migration } from './migrations.ts'

export const MIGRATIONS_TABLE = 'ralph_migrations'
/** There from the first migration on. */
const FIRST_TABLE = 'settings'
interface Applied {
  [MIGRATIONS_TABLE]: { name: string; applied_at: number }
}

/** What a dialect does in its own way. */
export interface MigrationDialect {
  tableExists(db: Kysely<Applied>, table: string): Promise<boolean>
  /** Inside a transaction: waits until no other process migrates, until the transaction ends. */
  lock(db: Transaction<Applied>): Promise<void>
}

/** Brings the schema up to date; says so when a newer version has already gone further. */
export async function runMigrations(
  // biome-ignore lint/suspicious/noExplicitAny: the schema of the moment, whatever it is
  database: Kysely<any>,
  dialect: MigrationDialect,
  migrations: readonly Migration[],
): Promise<void> {
  const db: Kysely<Applied> = database
  // The common case asks once and takes no lock.
  const applied = await appliedNames(db, dialect)
  refuseNewer(applied, migrations)
  for (const migration of migrations) {
    if (!applied.has(migration.name)) await apply(db, dialect, migration, migrations)
  }
}

async function apply(
  db: Kysely<Applied>,
  dialect: MigrationDialect,
  migration: Migration,
  known: readonly Migration[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await dialect.lock(transaction)
    // Another process may have been faster while this one waited for the lock.
    const applied = await appliedNames(transaction, dialect)
    refuseNewer(applied, known)
    if (applied.has(migration.name)) return
    if (!(await dialect.tableExists(transaction, MIGRATIONS_TABLE))) {
      await transaction.schema
        .createTable(MIGRATIONS_TABLE)
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('applied_at', 'bigint', (column) => column.notNull())
        .execute()
    }
    await migration.up(transaction)
    await transaction
      .insertInto(MIGRATIONS_TABLE)
      .values({ name: migration.name, applied_at: Date.now() })
      .execute()
  })
}

async function appliedNames(db: Kysely<Applied>, dialect: MigrationDialect): Promise<Set<string>> {
  if (!(await dialect.tableExists(db, MIGRATIONS_TABLE))) {
    if (!(await dialect.tableExists(db, FIRST_TABLE))) return new Set()
    throw new RalphError('damaged', `the database has lost the table ${MIGRATIONS_TABLE}`, {
      hint: 'ralph doctor --fix makes it again; or restore the database from a backup.',
    })
  }
  const rows = await db.selectFrom(MIGRATIONS_TABLE).select('name').execute()
  return new Set(rows.map((row) => row.name))
}

function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = [...applied].filter((name) => !known.has(name)).sort()
  if (unknown.length === 0) return
  throw new RalphError(
    'unsupported_version',
    `the database was written by a newer version of ralph-memory (it has ${unknown.join(', ')})`,
    { hint: `Update this one: ${updateCommand()}` },
  )
}
