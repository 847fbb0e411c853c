import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { temporaryBeside } from '../files/temporary-name.ts'
import { type Pages, type SchemaRow, schemaRowsIn } from './schema-pages.ts'

/** Of the header, https://www.sqlite.org/fileformat.html#the_database_header: written and read with a log beside it. */
const LOG_VERSIONS = Buffer.from([2, 2])
const LOG_VERSIONS_AT = 18
const PAGES_AT = 28

/**
 * Gives a copy of a database whose first page is lost another one, with the tables that are found in the rest of it. False: none is,
 * and the copy is as it was.
 */
export function restoreBeginning(copy: string, pageSize: number): boolean {
  const file = openSync(copy, 'r+')
  let rows: SchemaRow[]
  try {
    const pages = pagesOf(file, pageSize)
    rows = schemaRowsIn(pages)
    if (!rows.some(({ type }) => type === 'table')) return false
    const first = emptyFirstPage(copy, pageSize)
    LOG_VERSIONS.copy(first, LOG_VERSIONS_AT)
    first.writeUInt32BE(pages.count, PAGES_AT)
    writeSync(file, first, 0, first.length, 0)
  } finally {
    closeSync(file)
  }
  enter(copy, rows)
  return true
}

function pagesOf(file: number, size: number): Pages {
  const count = Math.floor(fstatSync(file).size / size)
  return {
    size,
    count,
    read(number) {
      if (number < 1 || number > count) throw new RangeError('beyond its end')
      const page = Buffer.alloc(size)
      readSync(file, page, 0, size, (number - 1) * size)
      return page
    },
  }
}

/** As SQLite makes it for a database with nothing in it. */
function emptyFirstPage(copy: string, pageSize: number): Buffer {
  const path = temporaryBeside(copy)
  try {
    const empty = new DatabaseSync(path)
    empty.exec(`pragma page_size = ${pageSize}; pragma user_version = 1; pragma user_version = 0`)
    empty.close()
    const file = openSync(path, 'r')
    try {
      const page = Buffer.alloc(pageSize)
      readSync(file, page, 0, pageSize, 0)
      return page
    } finally {
      closeSync(file)
    }
  } finally {
    rmSync(path, { force: true })
  }
}

function enter(copy: string, rows: readonly SchemaRow[]): void {
  const database = new DatabaseSync(copy)
  try {
    // Where it is on by default, the schema can be written by nobody.
    if ('enableDefensive' in database) (database.enableDefensive as (on: boolean) => void)(false)
    database.exec('pragma writable_schema = on; begin')
    const put = database.prepare(
      'insert into sqlite_schema (type, name, tbl_name, rootpage, sql) values (?, ?, ?, ?, ?)',
    )
    // An index is read with the table it belongs to.
    for (const { type, name, table, root, sql } of rows.toSorted((a, b) => b.type.localeCompare(a.type)))
      put.run(type, name, table, root, sql)
    database.exec('commit')
  } finally {
    database.close()
  }
}
