import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

const MAX_PREPARED = 200

/** One SQLite connection with its prepared statements; the least recently used ones are dropped. */
export class Statements {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  run<Row>({ sql, parameters, query }: CompiledQuery): QueryResult<Row> {
    const statement = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    const changes =
      query.kind === 'InsertQueryNode' || query.kind === 'UpdateQueryNode' || query.kind === 'DeleteQueryNode'
    if (!changes) return { rows: statement.all(...values) as Row[] }
    if ('returning' in query && query.returning) {
      const rows = statement.all(...values) as Row[]
      return { rows, numAffectedRows: BigInt(rows.length) }
    }
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
  }

  execute(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    this.#prepared.clear()
    this.#database.close()
  }

  #prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known) this.#prepared.delete(sql)
    else if (this.#prepared.size >= MAX_PREPARED) {
      for (const oldest of this.#prepared.keys()) {
        this.#prepared.delete(oldest)
        break
      }
    }
    const statement = known ?? this.#database.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}

export function openWriter(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    // FULL: a commit is on the disk, not only in the operating system, when it returns.
    database.exec('pragma busy_timeout = 0; pragma foreign_keys = on; pragma synchronous = full')
    // Of meaning on macOS only, where a plain fsync does not reach the disk.
    database.exec('pragma fullfsync = on; pragma journal_size_limit = 67108864')
    database.exec('pragma journal_mode = wal')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

export function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true })
  database.exec('pragma busy_timeout = 0')
  return database
}
