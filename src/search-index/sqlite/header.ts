import { closeSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { SCHEMA } from './schema.ts'

/** Tables with exactly our columns are of exactly our version: another number in the header is damage, not another ralph. */
export function hasOurColumns(database: DatabaseSync): boolean {
  const fresh = new DatabaseSync(':memory:')
  try {
    fresh.exec(SCHEMA)
    return columnsOf(fresh) === columnsOf(database)
  } finally {
    fresh.close()
  }
}

function columnsOf(database: DatabaseSync): string {
  const columns = `SELECT t.name AS tab, c.name AS col FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, 2`
  return JSON.stringify(database.prepare(columns).all())
}

/** Where the header says how the file may be read and written; SQLite takes any other number for a file that it may only read. */
const FORMATS_AT = 18
const FORMATS = [1, 2]

/** Whether SQLite refuses to write because of what stands in the file, and not because of its permissions. */
export function isOfNoKnownFormat(path: string): boolean {
  const formats = Buffer.from(FORMATS)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, formats, { position: FORMATS_AT })
    } finally {
      closeSync(file)
    }
  } catch {
    return false // whoever opened it says what is the matter
  }
  return !formats.every((format) => FORMATS.includes(format))
}
