import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { messageOf, RalphError } from '../errors.ts'
import { isBusy } from '../files/sqlite-trouble.ts'
import { sqliteError } from './sqlite-errors.ts'
import { openReader, openWriter, Statements } from './sqlite-statements.ts'

export interface SqliteOptions {
  path: string
  /** How long a write waits for other writers, of this process or another, before it gives up. */
  busyTimeoutMs: number
  /** Answers while there is no file: looking makes none. */
  standIn?: StandIn | undefined
}

export interface StandIn {
  /** As empty as the file will be, with all of its tables. */
  database: DatabaseSync
  /** Makes the file, for the first who writes; without it there never is one. */
  makeFile?: () => Promise<void>
}

/** Kysely on node:sqlite. */
export function sqliteDialect(options: SqliteOptions): Dialect {
  return {
    createDriver: () => new SqliteDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** Kysely otherwise hands out one connection at a time; who may run when is the driver's business below. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Two connections: one writes, strictly one transaction after the other; one only reads, so that a question never
 * waits for a transaction. node:sqlite blocks the thread while it waits for another process, which would also stop
 * the very transaction that is waited for; so nothing waits inside SQLite, and whoever finds it busy sleeps here.
 */
class SqliteDriver implements Driver {
  readonly #options: SqliteOptions
  #writer: Statements | undefined
  #reader: Statements | undefined
  #lastInLine: Promise<unknown> = Promise.resolve()
  #standIn: StandIn | undefined
  #opening: Promise<void> | undefined

  constructor(options: SqliteOptions) {
    this.#options = options
    this.#standIn = options.standIn
  }

  async init(): Promise<void> {
    if (this.#standIn) this.#writer = this.#reader = new Statements(this.#standIn.database)
    else await this.#openFile()
  }

  /** From the stand-in to the file: for whoever is going to write, or as soon as somebody else has made it. */
  async useFile(write: boolean): Promise<void> {
    const makeFile = this.#standIn?.makeFile
    if (!makeFile || (!write && !existsSync(this.#options.path))) return
    this.#opening ??= this.#replace(makeFile).finally(() => {
      this.#opening = undefined
    })
    await this.#opening
  }

  async #replace(makeFile: () => Promise<void>): Promise<void> {
    await makeFile()
    const standIn = this.#reader
    await this.#openFile()
    this.#standIn = undefined
    standIn?.close()
  }

  async #openFile(): Promise<void> {
    const { path } = this.#options
    const writer = await this.whileBusy(() => new Statements(openWriter(path)))
    this.#reader = await this.whileBusy(() => new Statements(openReader(path)))
    this.#writer = writer
  }

  get writer(): Statements {
    return opened(this.#writer)
  }

  get reader(): Statements {
    return opened(this.#reader)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteConnection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    ;(connection as SqliteConnection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    ;(connection as SqliteConnection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as SqliteConnection).release()
  }

  async destroy(): Promise<void> {
    // Whoever has waited as long as any writer would closes under a transaction that will never end.
    const endTurn = await this.takeTurn().catch(() => undefined)
    endTurn?.()
    this.#reader?.close()
    if (this.#writer !== this.#reader) this.#writer?.close()
    this.#reader = undefined
    this.#writer = undefined
    this.#standIn = undefined
  }

  /** Resolves when every earlier writer of this process is done, with the function that lets the next one go. */
  async takeTurn(): Promise<() => void> {
    const before = this.#lastInLine
    const mine = Promise.withResolvers<void>()
    this.#lastInLine = before.then(() => mine.promise)
    const timer = new AbortController()
    const late = sleep(this.#options.busyTimeoutMs, 'late', { signal: timer.signal, ref: false }).catch(
      () => 'in time',
    )
    const result = await Promise.race([before, late])
    timer.abort()
    if (result === 'late') {
      mine.resolve()
      throw this.#busy('another transaction of this process has not ended')
    }
    return mine.resolve
  }

  /** Tries again, without blocking the thread, while another process writes. */
  async whileBusy<Result>(attempt: () => Result): Promise<Result> {
    const deadline = performance.now() + this.#options.busyTimeoutMs
    for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error)) throw sqliteError(error, this.#options.path)
        if (performance.now() > deadline) throw this.#busy('another process is writing to it', error)
      }
      // Uneven pauses keep many waiting processes from meeting at the same moments.
      await sleep(wait * (0.5 + Math.random()))
    }
  }

  translate(error: unknown): unknown {
    return sqliteError(error, this.#options.path)
  }

  #busy(why: string, cause?: unknown): RalphError {
    const seconds = Math.round(this.#options.busyTimeoutMs / 1000)
    return new RalphError('timeout', `${this.#options.path} was busy for ${seconds} s: ${why}`, {
      hint: 'Try again when the other command has finished.',
      retryable: true,
      cause,
    })
  }
}

/** One caller's view: reads go to the reader until a transaction begins, everything else waits its turn to write. */
class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver
  #endTurn: (() => void) | undefined
  #open = false

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#open) return this.#now(() => this.#driver.writer.run<Row>(query))
    const reads = query.query.kind === 'SelectQueryNode'
    await this.#driver.useFile(!reads)
    if (reads) return this.#driver.whileBusy(() => this.#driver.reader.run<Row>(query))
    const endTurn = await this.#driver.takeTurn()
    try {
      return await this.#driver.whileBusy(() => this.#driver.writer.run<Row>(query))
    } finally {
      endTurn()
    }
  }

  // biome-ignore lint/correctness/useYield: the contract wants a generator; large results are read page by page
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new RalphError('internal', 'streaming is not supported: read page by page, by key')
  }

  async begin(): Promise<void> {
    await this.#driver.useFile(true)
    this.#endTurn = await this.#driver.takeTurn()
    // IMMEDIATE takes the write lock now: a transaction that has begun never fails for another writer's sake.
    await this.#driver.whileBusy(() => this.#driver.writer.execute('begin immediate'))
    this.#open = true
  }

  commit(): void {
    this.#now(() => this.#driver.writer.execute('commit'))
    this.#open = false
  }

  rollback(): void {
    this.#open = false
    try {
      this.#driver.writer.execute('rollback')
    } catch (error) {
      // SQLite has already rolled back by itself after some errors, such as a full disk.
      if (!messageOf(error).includes('no transaction is active')) throw this.#driver.translate(error)
    }
  }

  release(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }

  #now<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw this.#driver.translate(error)
    }
  }
}

function opened(statements: Statements | undefined): Statements {
  if (statements) return statements
  throw new RalphError('internal', 'the storage is closed')
}
