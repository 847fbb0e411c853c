import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { isRalphError, messageOf, RalphError } from '../errors.ts'
import { claimUsing } from './claim.ts'
import { lostTables } from './lost-tables.ts'
import { MIGRATIONS, type Migration } from './migrations/migrations.ts'
import { type MigrationDialect, runMigrations } from './migrations/run-migrations.ts'
import { isConnectionLost, isWorthRepeating, postgresError } from './postgres-errors.ts'
import type { Storage, StorageHealth } from './storage.ts'
import type { Tables } from './tables.ts'

export interface PostgresStorageOptions {
  /** postgres://user:password@host:port/database?sslmode=… */
  url: string
  poolSize?: number
  /** A statement that takes longer is cancelled. */
  statementTimeoutMs?: number
  connectTimeoutMs?: number
  migrations?: readonly Migration[]
}

const OLDEST_SERVER = 13
const MOST_REPEATS = 5
/** Any fixed number will do, as long as every version of ours uses the same one. */
const MIGRATION_LOCK = 7_264_830_115

/** Connects to a PostgreSQL database that a team shares, and brings its tables up to date. */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const place = describeUrl(options.url)
  const pool = await openPool(options)
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withClearErrors(pool, place) }),
  })
  const transaction: Storage['transaction'] = (work) => repeatable(() => db.transaction().execute(work))
  try {
    await refuseOldServer(db, place)
    await runMigrations(db, migrationDialect, options.migrations ?? MIGRATIONS)
  } catch (error) {
    await db.destroy()
    throw error
  }
  let closing: Promise<void> | undefined
  return {
    dialect: 'postgres',
    db,
    transaction,
    claim: claimUsing(transaction, (query) => query.forUpdate().skipLocked()),
    revision: () => revision(db),
    check: () => check(db, place),
    close: () => {
      closing ??= db.destroy()
      return closing
    },
  }
}

async function openPool(options: PostgresStorageOptions): Promise<Pool> {
  const { default: pg } = await import('pg')
  const statementTimeout = options.statementTimeoutMs ?? 30_000
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    // For a server that no longer answers at all; one that does keeps its own, shorter time.
    query_timeout: statementTimeout + 5_000,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'ralph-memory',
    types: {
      getTypeParser: (oid, format) => numbers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
    },
    onConnect: (client: ClientBase) => prepareSession(client, statementTimeout),
  })
  // A connection that breaks while idle is replaced when the next one is wanted: nothing to do, but unheard it would
  // end the process.
  pool.on('error', () => undefined)
  return pool
}

/** 64-bit integers and sums arrive as text by default; ours are counts and milliseconds, which fit a number. */
const numbers = new Map([
  [20, Number],
  [1700, Number],
])

async function prepareSession(client: ClientBase, statementTimeoutMs: number): Promise<void> {
  // Heard for the same reason as above; the query under way gets the error too.
  client.on('error', () => undefined)
  await client.query(
    [
      `set statement_timeout = ${Math.round(statementTimeoutMs)}`,
      // A process that hangs in the middle of a transaction must not hold its locks for ever.
      'set idle_in_transaction_session_timeout = 60000',
      // Acknowledged means durable, whatever the server's default.
      'set synchronous_commit = on',
    ].join('; '),
  )
}

/** The pool as Kysely sees it: errors translated, broken connections never handed out again. */
function withClearErrors(pool: Pool, place: string): PostgresPool {
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        const client = await pool.connect()
        const known = wrapped.get(client) ?? wrapClient(client, place)
        wrapped.set(client, known)
        return known
      } catch (error) {
        throw postgresError(error, place)
      }
    },
  }
}

function wrapClient(client: PoolClient, place: string): PostgresPoolClient {
  let broken = false
  const query = async (text: string, values: readonly unknown[]) => {
    // The server has undone the transaction together with the connection.
    if (broken && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
    try {
      return await client.query(text, [...values])
    } catch (error) {
      broken ||= isConnectionLost(error)
      throw postgresError(error, place)
    }
  }
  return {
    // Kysely's other overload is for cursors, which need a library we do not use.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(broken || destroy === true),
  }
}

/** Two transactions that wait for each other: the database undoes one of them, which then runs again. */
async function repeatable<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await run()
    } catch (error) {
      if (repeats >= MOST_REPEATS || !isWorthRepeating(error)) throw error
    }
  }
}

const migrationDialect: MigrationDialect = {
  async tableExists(db, table) {
    // Not to_regclass: it may answer from a cache that another process's migration has overtaken.
    const { rows } = await sql`
      select 1 from pg_catalog.pg_tables where schemaname = current_schema() and tablename = ${table}`.execute(
      db,
    )
    return rows.length > 0
  },
  async lock(db) {
    // A migration of a large table, or another process's, may take longer than a statement normally may.
    await sql`set local statement_timeout = 0`.execute(db)
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(db)
  },
}

async function refuseOldServer(db: Kysely<Tables>, place: string): Promise<void> {
  const version = await serverVersion(db)
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return
  throw new RalphError('unsupported_version', `PostgreSQL ${version} at ${place} is too old`, {
    hint: `Use PostgreSQL ${OLDEST_SERVER} or newer.`,
  })
}

/** Which transactions have ended: the whole snapshot, for one that began early may end late. */
async function revision(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ now: string }>`select pg_current_snapshot()::text as now`.execute(db)
  return rows[0]!.now
}

async function serverVersion(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
  return rows[0]?.server_version ?? 'unknown'
}

async function check(db: Kysely<Tables>, place: string): Promise<StorageHealth> {
  try {
    const version = await serverVersion(db)
    const lost = await lostTables(db, place)
    if (lost) return { ok: false, ...lost }
    await db.selectFrom('settings').select('key').limit(1).execute()
    return { ok: true, detail: `PostgreSQL ${version.split(' ')[0]} at ${place}` }
  } catch (error) {
    const hint = isRalphError(error) ? error.hint : undefined
    return { ok: false, detail: messageOf(error), ...(hint ? { hint } : {}) }
  }
}

/** "host:port/database": what may be shown; user and password may not. */
function describeUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new RalphError('invalid_input', 'the storage URL is not a PostgreSQL address', {
      hint: 'It looks like postgres://user:password@host:5432/database',
    })
  }
  return `${parsed.hostname || 'localhost'}:${parsed.port || '5432'}${decodeURIComponent(parsed.pathname)}`
}
