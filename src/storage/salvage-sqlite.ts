import { constants, copyFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { RalphError } from '../errors.ts'
import { nameForDamaged } from '../files/kept-json.ts'
import { requireOwnDatabase } from '../files/own-files.ts'
import { renameFileNow } from '../files/rename.ts'
import { sqliteTrouble } from '../files/sqlite-trouble.ts'
import { temporaryBeside } from '../files/temporary-name.ts'
import { plural } from '../text/plural.ts'
import { restoreBeginning } from './salvage-beginning.ts'
import { mendLinks } from './salvage-links.ts'
import { readableRows } from './salvage-rows.ts'
import { openSqliteStorage } from './sqlite.ts'
import { headerOf, startAfresh } from './sqlite-file.ts'

/** SQLite keeps its newest transactions beside the file. */
const SIDE_FILES = ['-wal', '-shm'] as const

/**
 * Makes a new database of all that can still be read of a damaged one, and keeps the damaged one beside it. Whoever has it open
 * goes on with the new content, where SQLite can still lock the file. Returns what was done, in words.
 */
export async function salvageSqliteFile(path: string): Promise<string[]> {
  requireOwnDatabase(path)
  const [copy, fresh] = [temporaryBeside(path), temporaryBeside(path)]
  try {
    await (await openSqliteStorage({ path: fresh })).close()
    const pageSize = await copied(path, { copy, fresh })
    let carried = carryIfAny(copy, fresh)
    const isBegun = Boolean(carried?.rows)
    if (!isBegun && restoreBeginning(copy, pageSize)) carried = carryIfAny(copy, fresh)
    if (!carried?.rows) throw nothingLeft(path)
    const kept = nameForDamaged(path)
    for (const ending of ['', '-wal']) copyIfAny(`${path}${ending}`, `${kept}${ending}`)
    await putInPlace(fresh, path)
    return [
      ...(isBegun ? [] : ['its beginning was lost: the tables were found in the rest of it']),
      `carried over ${plural(carried.rows, 'row')} that could be read`,
      ...(carried.unreadable > 0 ? [`${plural(carried.unreadable, 'row')} could be read only in part`] : []),
      ...carried.mended,
      `the damaged one is kept: ${kept}`,
    ]
  } finally {
    for (const file of [copy, fresh])
      for (const ending of ['', ...SIDE_FILES, '-journal']) rmSync(`${file}${ending}`, { force: true })
  }
}

/**
 * With its newest transactions, and as long as it says it is: else SQLite would read nothing of it. Returns how large its pages are; where it
 * does not say so, as large as those of a new one.
 */
async function copied(path: string, { copy, fresh }: { copy: string; fresh: string }): Promise<number> {
  for (const ending of ['', '-wal']) copyIfAny(`${path}${ending}`, `${copy}${ending}`)
  const said = await headerOf(copy)
  const { pages, pageSize } = said.pageSize >= 512 ? said : { ...(await headerOf(fresh)), pages: 0 }
  const whole = Math.ceil(statSync(copy).size / pageSize)
  truncateSync(copy, Math.max(whole, pages) * pageSize)
  return pageSize
}

function copyIfAny(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to, constants.COPYFILE_EXCL)
}

interface Carried {
  rows: number
  unreadable: number
  mended: string[]
}

/** Where even the names of the tables are lost, SQLite reads nothing at all. */
function carryIfAny(from: string, to: string): Carried | undefined {
  try {
    return carryOver(from, to)
  } catch (error) {
    if (sqliteTrouble(error) !== 'damaged') throw error
    return undefined
  }
}

function carryOver(from: string, to: string): Carried {
  const carried: Carried = { rows: 0, unreadable: 0, mended: [] }
  const [old, target] = [new DatabaseSync(from), new DatabaseSync(to)]
  try {
    target.exec('pragma foreign_keys = off; begin')
    for (const table of tablesOf(target)) {
      const columns = sharedColumns(old, target, table)
      if (columns.length === 0) continue
      const names = columns.map((name) => `"${name}"`).join(', ')
      const put = target.prepare(
        `insert or ignore into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of readableRows(old, table, () => carried.unreadable++))
        carried.rows += Number(put.run(...columns.map((name) => row[name] ?? null)).changes)
    }
    carried.mended = mendLinks(target)
    target.exec('commit')
    return carried
  } finally {
    old.close()
    target.close()
  }
}

function tablesOf(database: DatabaseSync): string[] {
  const tables = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
  // Which changes of the tables were made is true of the new one already.
  return database
    .prepare(tables)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'ralph_migrations')
}

function sharedColumns(old: DatabaseSync, target: DatabaseSync, table: string): string[] {
  const of = (database: DatabaseSync) =>
    database
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name))
  const there = new Set(of(old))
  return of(target).filter((name) => there.has(name))
}

/** As a change that all who have it open see; where the damaged one cannot even be locked, nobody has it open. */
async function putInPlace(fresh: string, path: string): Promise<void> {
  const source = new DatabaseSync(fresh)
  try {
    await backup(source, path)
  } catch {
    source.close()
    for (const ending of SIDE_FILES) rmSync(`${path}${ending}`, { force: true })
    renameFileNow(fresh, path)
    return
  }
  source.close()
}

function nothingLeft(path: string): RalphError {
  return new RalphError('damaged', `nothing can be read of ${path} any more`, {
    hint: `Restore it from a backup. ${startAfresh(path)}. Iterations and learnings are safe in their projects; ralph conversations import reads again what your agents have kept.`,
  })
}
