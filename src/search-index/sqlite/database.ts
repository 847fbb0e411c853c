import { closeSync, existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileError, RalphError, throwIfAborted } from '../../errors.ts'
import { makeOwnFolder, openOwnFileNow, requireOwnDatabase } from '../../files/own-files.ts'
import { isBusy, sqliteTrouble } from '../../files/sqlite-trouble.ts'
import { updateCommand } from '../../installation.ts'
import { indexError } from './database-error.ts'
import { hasOurColumns } from './header.ts'
import { KnownRows } from './known-rows.ts'
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts'
import { OLDEST_UPGRADED, upgrade } from './upgrade.ts'

/** Another writer holds the lock for milliseconds; whoever waits this long waits for one that hangs. */
const PATIENCE_MS = 30_000
/** How long SQLite itself waits, blocking the thread, before we let others of this process go on. */
const BUSY_TIMEOUT_MS = 20
/**
 * An index that nobody asks is closed, so that another process can throw it away when it is damaged. Longer than
 * anybody embeds between two batches: those must land in one file.
 */
const IDLE_MS = 300_000

/** The file: opened on first use, shared by many processes, every access one consistent transaction. */
export class IndexDatabase {
  readonly path: string
  readonly #ownerOnly: boolean
  #database: DatabaseSync | undefined
  /** Tells other processes that the file is in use, see `reset`. */
  #lease: DatabaseSync | undefined
  readonly #statements = new Map<string, StatementSync>()
  readonly #known = new KnownRows()
  #writes = 0
  #idle: NodeJS.Timeout | undefined

  constructor(path: string, ownerOnly = false) {
    this.path = path
    this.#ownerOnly = ownerOnly
  }

  /** Looking makes no file: where there is none, the answer is `otherwise`. */
  async read<Result>(work: () => Result, otherwise: Result, signal?: AbortSignal): Promise<Result> {
    if (!this.#database && !existsSync(this.path)) return otherwise
    return this.#transaction('BEGIN', work, signal)
  }

  /** `work` runs again from the start when another process was quicker. */
  write<Result>(work: () => Result, signal?: AbortSignal): Promise<Result> {
    this.#writes++
    return this.#transaction('BEGIN IMMEDIATE', work, signal)
  }

  /** What was read and checked before from the file as it is now. Only inside `read`. */
  known(): KnownRows {
    // Changes with every write of others, seen from this transaction; of our own we know ourselves.
    const { data_version: version } = this.sql('PRAGMA data_version').get()!
    this.#known.holdFor(`${version}/${this.#writes}`)
    return this.#known
  }

  /** Only inside `read` and `write`. */
  sql(text: string): StatementSync {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.#database!.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement
  }

  /** Deletes the file, damaged or not, unless another process has it open. */
  async reset(): Promise<void> {
    this.close()
    try {
      await this.#patiently(() => {
        const lease = this.#openLease()
        try {
          const endings = ['', '-wal', '-shm', ...lockForGood(lease)]
          for (const ending of endings) rmSync(this.path + ending, { force: true })
        } finally {
          lease.close()
        }
      }, 1_000)
    } catch (error) {
      if (!isBusy(error)) throw indexError(error, this.path)
      throw new RalphError('conflict', `another process is using the search index ${this.path}`, {
        hint: 'Stop other running ralph commands (loop, mcp, chat), then run it again.',
        retryable: true,
        cause: error,
      })
    }
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#idle = undefined
    this.#statements.clear()
    this.#known.forget()
    this.#database?.close()
    this.#database = undefined
    this.#lease?.close()
    this.#lease = undefined
  }

  async #transaction<Result>(begin: string, work: () => Result, signal?: AbortSignal): Promise<Result> {
    throwIfAborted(signal)
    try {
      return await this.#patiently(
        () => {
          const database = this.#open()
          this.#idle?.refresh()
          this.sql(begin).run()
          try {
            const result = work()
            this.sql('COMMIT').run()
            return result
          } catch (error) {
            rollBack(database)
            throw error
          }
        },
        PATIENCE_MS,
        signal,
      )
    } catch (error) {
      throw indexError(error, this.path)
    }
  }

  /** Tries until the file is free; between two attempts the rest of the process goes on. */
  async #patiently<Result>(attempt: () => Result, patience: number, signal?: AbortSignal): Promise<Result> {
    const deadline = performance.now() + patience
    for (;;) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
      }
      await sleep(1 + Math.random() * 10)
      throwIfAborted(signal)
    }
  }

  #open(): DatabaseSync {
    if (this.#database) return this.#database
    try {
      makeOwnFolder(dirname(this.path), this.#ownerOnly ? 0o700 : undefined)
      requireOwnDatabase(this.path)
      // Its side files take over the mode of the file.
      if (this.#ownerOnly) closeSync(openOwnFileNow(this.path, 'append', 0o600))
    } catch (error) {
      throw fileError(error, this.path, 'opening the search index')
    }
    const lease = this.#openLease()
    let database: DatabaseSync | undefined
    try {
      // A read transaction that stays open is a shared lock, and goes when the process goes, however it ends.
      lease.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
      database = new DatabaseSync(this.path)
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      prepareFile(database, this.path)
    } catch (error) {
      database?.close()
      lease.close()
      throw error
    }
    this.#lease = lease
    this.#database = database
    this.#idle = setTimeout(() => this.close(), IDLE_MS).unref()
    return database
  }

  #openLease(): DatabaseSync {
    requireOwnDatabase(`${this.path}-lease`)
    const lease = new DatabaseSync(`${this.path}-lease`)
    lease.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return lease
  }
}

function prepareFile(database: DatabaseSync, path: string): void {
  const identity = readIdentity(database, path)
  if (identity === 'empty') create(database, path)
  else if (identity === 'older') bringUpToDate(database, path)
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA cache_size = -32768;
    PRAGMA journal_size_limit = 33554432;
    PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = ON;
  `)
}

/** What is forgotten must not stay readable in free pages: hence secure_delete. */
function create(database: DatabaseSync, path: string): void {
  // Five vectors of the local embedder fill a page of this size, two would fill the usual one only by three quarters.
  database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
  try {
    // Another process may have been quicker.
    if (readIdentity(database, path) === 'empty') {
      database.exec(
        `${SCHEMA}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`,
      )
    }
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function bringUpToDate(database: DatabaseSync, path: string): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have been quicker.
    if (readIdentity(database, path) === 'older') upgrade(database, versionOf(database))
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
  giveBackSpace(database)
}

/** What an upgrade has made smaller; while others read it, or where no room is left, it is filled again later. */
function giveBackSpace(database: DatabaseSync): void {
  try {
    database.exec('VACUUM')
  } catch {
    // only a larger file than it need be
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()!['user_version'])
}

function readIdentity(database: DatabaseSync, path: string): 'ours' | 'empty' | 'older' {
  const application = database.prepare('PRAGMA application_id').get()!['application_id']
  const version = versionOf(database)
  const tables = Number(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()!['tables'])
  if (tables === 0 && version === 0) return 'empty'
  if (application !== APPLICATION_ID) throw isOfOthers(database) ? otherDatabase(path) : unmarked(path)
  if (version !== SCHEMA_VERSION && hasOurColumns(database)) throw unmarked(path)
  if (version > SCHEMA_VERSION) {
    throw new RalphError(
      'unsupported_version',
      `the search index ${path} was written by a newer ralph (version ${version}, this one knows ${SCHEMA_VERSION})`,
      { hint: `Update ralph-memory: ${updateCommand()}` },
    )
  }
  if (version < SCHEMA_VERSION && version >= OLDEST_UPGRADED) return 'older'
  if (version < SCHEMA_VERSION) {
    throw new RalphError('damaged', `the search index ${path} was written by an older ralph`, {
      hint: 'It can be built again at any time: ralph memory rebuild',
    })
  }
  return 'ours'
}

/** Whatever is damaged of ours has at least one of our tables. */
function isOfOthers(database: DatabaseSync): boolean {
  const ours = "SELECT count(*) AS ours FROM sqlite_schema WHERE name IN ('collections', 'documents')"
  return database.prepare(ours).get()!['ours'] === 0
}

function otherDatabase(path: string): RalphError {
  return new RalphError('invalid_input', `${path} is a database of another program, which is left as it is`, {
    hint: `Move it away, a new index is built by itself: mv ${path} ${path}.old`,
  })
}

function unmarked(path: string): RalphError {
  return new RalphError('damaged', `${path} is not marked as a search index of this ralph`, {
    hint: 'It can be built again at any time: ralph memory rebuild',
  })
}

/** Returns what else has to go: through a damaged lease nobody can have opened the index. */
function lockForGood(lease: DatabaseSync): string[] {
  try {
    lease.exec('BEGIN EXCLUSIVE')
    return []
  } catch (error) {
    if (sqliteTrouble(error) !== 'damaged') throw error
    return ['-lease']
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has already rolled back by itself (disk full, damage); the error that led here says why.
  }
}
