import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type StorageDialect = 'sqlite' | 'postgres'

/** A transaction in progress, or the storage outside of one: helpers that only ask accept both. */
export type Queries = Kysely<Tables>
export type StorageTransaction = Transaction<Tables>

/**
 * Tables shared by every process of a user or team. One code path serves SQLite and PostgreSQL, so:
 * - times are epoch milliseconds, flags are 0 or 1, structures are JSON text, ids are text;
 * - no SQL of one dialect outside src/storage;
 * - large results are read page by page, by key (`where id > after order by id limit n`).
 */
export interface Storage {
  readonly dialect: StorageDialect
  /** Typed queries. A write outside a transaction is durable when its promise resolves. */
  readonly db: Queries
  /**
   * All or nothing, durable when the promise resolves. Use only the `db` it hands over, and only for queries: the
   * work is run again when the database asks for it (deadlock), and while it runs other writers wait.
   */
  transaction<Result>(work: (db: StorageTransaction) => Promise<Result>): Promise<Result>
  /**
   * Takes rows off a queue: `pick` selects candidates that no other claim holds at this moment, `take` marks them
   * (usually with a lease) in the same transaction. Two workers never get the same row.
   *
   * ```ts
   * const batch = await storage.claim(
   *   (db) => db.selectFrom('jobs').selectAll().where('lease_until', '<', now).orderBy('id').limit(100),
   *   (db, rows) =>
   *     db.updateTable('jobs').set({ lease_owner: me, lease_until: now + minute })
   *       .where('id', 'in', rows.map((row) => row.id)).execute(),
   * )
   * ```
   */
  claim<Table extends keyof Tables, Row>(
    pick: (db: StorageTransaction) => SelectQueryBuilder<Tables, Table, Row>,
    take: (db: StorageTransaction, rows: Row[]) => Promise<unknown>,
  ): Promise<Row[]>
  /** Another one whenever anybody, here or in another process, has committed a change; next to nothing to ask. */
  revision(): Promise<string>
  /** `thorough`: reads all of it, which takes its time. */
  check(options?: { thorough?: boolean }): Promise<StorageHealth>
  /** Waits for what is under way. Calling it twice is fine. */
  close(): Promise<void>
}

/** Opens the configured storage on first need; a failed opening is tried again on the next call. */
export type StorageSource = () => Promise<Storage>

export interface StorageHealth {
  ok: boolean
  /** One line for `ralph status`, e.g. "sqlite 3.50 at ~/.ralph/ralph.db" or "PostgreSQL 18.1 at db.example:5432". */
  detail: string
  /** The step that mends it, when not ok. */
  hint?: string
}
