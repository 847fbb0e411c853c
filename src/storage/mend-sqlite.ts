import { DatabaseSync } from 'node:sqlite'
import { isRalphError, RalphError } from '../errors.ts'
import { requireOwnDatabase } from '../files/own-files.ts'
import { plural } from '../text/plural.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { MIGRATIONS_TABLE } from './migrations/run-migrations.ts'
import { salvageSqliteFile } from './salvage-sqlite.ts'
import { emptyTables } from './sqlite.ts'
import { sqliteError } from './sqlite-errors.ts'
import { isTorn } from './sqlite-file.ts'

/** What a lost table held that follows from the others, or is made again by whoever needs it; of the rest it is gone. */
const REFILLED: { readonly [table: string]: string } = {
  // Else what is written next would count as seen already.
  counters: `insert into counters (name, value) select 'conversations.revision', max(revision) from
    (select revision from exchanges union all select revision from conversations union all select revision from document_pieces)
    having max(revision) > 0`,
  exchange_summaries: 'update exchanges set summarised = 0, summary_due = 1 where summarised = 1',
  conversation_work: '',
  conversation_workers: '',
  conversation_sources: '',
  [MIGRATIONS_TABLE]: '',
}

interface Piece {
  type: string
  name: string
  tbl_name: string
  sql: string
}

/**
 * Makes lost tables and indexes of the database file again, and what of their content follows from the others; where pages of
 * it are lost, a new one of what can be read. Returns what it did, in words.
 */
export async function mendSqliteFile(path: string): Promise<string[]> {
  let done: string[] = []
  try {
    done = await mendTables(path)
    if (!(await isFaulty(path))) return done
  } catch (error) {
    // One of another version is for people.
    if (!isRalphError(error) || error.code !== 'damaged' || !error.cause) throw error
  }
  return [...done, ...(await salvageSqliteFile(path))]
}

async function isFaulty(path: string): Promise<boolean> {
  const database = new DatabaseSync(path, { timeout: 5_000 })
  try {
    return faultsIn(database).length > 0 || (await isTorn(path))
  } catch (error) {
    throw sqliteError(error, path)
  } finally {
    database.close()
  }
}

/** Nothing that is there is touched. */
async function mendTables(path: string): Promise<string[]> {
  const whole = await emptyTables()
  let database: DatabaseSync | undefined
  try {
    requireOwnDatabase(path)
    database = new DatabaseSync(path, { timeout: 5_000 })
    requireSameVersion(database, whole, path)
    return [...makeLost(database, piecesOf(whole)), ...orderIndexes(database)]
  } catch (error) {
    throw sqliteError(error, path)
  } finally {
    database?.close()
    whole.close()
  }
}

function piecesOf(database: DatabaseSync): Piece[] {
  const pieces =
    "select type, name, tbl_name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'"
  return database.prepare(pieces).all() as unknown as Piece[]
}

function makeLost(database: DatabaseSync, wanted: readonly Piece[]): string[] {
  const there = new Set(piecesOf(database).map(({ name }) => name))
  const lost = wanted.filter(({ name }) => !there.has(name))
  if (lost.length === 0) return []
  const isMarked = there.has(MIGRATIONS_TABLE)
  database.exec('begin immediate')
  try {
    for (const type of ['table', 'index', 'trigger', 'view'])
      for (const piece of lost) if (piece.type === type) database.exec(piece.sql)
    for (const { name } of lost) database.exec(REFILLED[name] ?? '')
    if (!isMarked) markAsNewest(database)
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
  const tables = lost.filter(({ type }) => type === 'table').map(({ name }) => name)
  const [refilled, empty] = [tables.filter(isRefilled), tables.filter((name) => !isRefilled(name))]
  const others = lost.length - tables.length
  return [
    ...(refilled.length > 0 ? [`worked out again: ${refilled.join(', ')}`] : []),
    ...(empty.length > 0 ? [`made again, empty, since what they held is gone: ${empty.join(', ')}`] : []),
    ...(tables.length === 0 ? [`made ${plural(others, 'lost index', 'lost indexes')} again`] : []),
  ]
}

const isRefilled = (table: string) => REFILLED[table] !== undefined

/** A database that is older than this ralph lacks what it has not got yet. */
function requireSameVersion(database: DatabaseSync, whole: DatabaseSync, path: string): void {
  const others = tablesOf(database).filter((table) => {
    const known = columnsOf(whole, table)
    return known !== '[]' && columnsOf(database, table) !== known
  })
  if (others.length === 0) return
  throw new RalphError('damaged', `${path} is of another version, and what it lacks cannot be told`, {
    hint: `Restore ${path} from a backup, or move it away: a new one is made.`,
  })
}

function tablesOf(database: DatabaseSync): string[] {
  return piecesOf(database).flatMap(({ type, name }) => (type === 'table' ? [name] : []))
}

function columnsOf(database: DatabaseSync, table: string): string {
  const columns = database.prepare('select name from pragma_table_info(?) order by name').all(table)
  return JSON.stringify(columns)
}

function markAsNewest(database: DatabaseSync): void {
  const mark = database.prepare(`insert into ${MIGRATIONS_TABLE} (name, applied_at) values (?, ?)`)
  for (const { name } of MIGRATIONS) mark.run(name, Date.now())
}

/** Indexes are made of their tables; anything else that is out of order is not ours to guess at. */
function orderIndexes(database: DatabaseSync): string[] {
  const faults = faultsIn(database)
  if (faults.length === 0 || !faults.every((text) => /index/i.test(text))) return []
  database.exec('reindex')
  return ['brought its indexes into order again']
}

function faultsIn(database: DatabaseSync): string[] {
  return database
    .prepare('pragma integrity_check(20)')
    .all()
    .flatMap((row) => Object.values(row).map(String))
    .filter((text) => text !== 'ok')
}
