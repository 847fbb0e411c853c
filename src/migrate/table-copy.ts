import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { Queries, Storage, StorageTransaction } from '../storage/storage.ts'
import type { Tables } from '../storage/tables.ts'
import { COPIED } from './copied-tables.ts'

export type Name = keyof Tables
export type Row = { [column: string]: unknown }
/** The values of a row's key columns. */
export type Key = readonly unknown[]

/** Keys of settings that are about moving itself, and stay where they are. */
export const OWN_SETTINGS = 'migrate.'
const PAGE = 200

// biome-ignore lint/suspicious/noExplicitAny: tables are named at run time here; COPIED is what is checked
type AnyTables = any
type Builder = ExpressionBuilder<AnyTables, string>

/** Rows of a table after a key, in the order of that database. */
export async function pageAfter(db: Queries, table: Name, after: Key | undefined): Promise<Row[]> {
  const { key } = COPIED[table]
  let query = rowsOf(db, table).selectAll().limit(PAGE)
  for (const column of key) query = query.orderBy(column)
  if (after) query = query.where((builder) => isAfter(builder, key, after))
  return query.execute()
}

export async function countRows(db: Queries, table: Name): Promise<number> {
  const query = rowsOf(db, table).select((select) => select.fn.countAll().as('rows'))
  return Number((await query.executeTakeFirstOrThrow())['rows'])
}

/** Writes those of the rows that the target has not, or has differently. Returns how many, and how many must wait. */
export async function writeChanged(
  target: StorageTransaction,
  dialect: Storage['dialect'],
  table: Name,
  rows: readonly Row[],
): Promise<{ written: number; waiting: number }> {
  const { key } = COPIED[table]
  const wanted = rows.map((row) => (dialect === 'postgres' ? withoutNulls(row) : row))
  const stored = await rowsWithKeys(
    target,
    table,
    wanted.map((row) => keyOf(table, row)),
  )
  const changed = wanted.filter((row) => !isSame(row, stored.get(identity(table, row))))
  const ready = await withParent(target, table, changed)
  if (ready.length > 0) {
    const columns = Object.keys(ready[0]!).filter((column) => !(key as readonly string[]).includes(column))
    await anyTables(target)
      .insertInto(table)
      .values(ready)
      .onConflict((conflict) =>
        columns.length === 0
          ? conflict.doNothing()
          : conflict
              .columns([...key])
              .doUpdateSet((row) =>
                Object.fromEntries(columns.map((column) => [column, row.ref(`excluded.${column}`)])),
              ),
      )
      .execute()
  }
  return { written: ready.length, waiting: changed.length - ready.length }
}

/** Removes what the source has no longer. Returns how many rows. */
export async function removeGone(source: Queries, target: Queries, table: Name): Promise<number> {
  let removed = 0
  for (let after: Key | undefined; ; ) {
    const page = await pageAfter(target, table, after)
    if (page.length === 0) return removed
    const kept = await rowsWithKeys(
      source,
      table,
      page.map((row) => keyOf(table, row)),
    )
    const gone = page.filter((row) => !kept.has(identity(table, row))).map((row) => keyOf(table, row))
    if (gone.length > 0) {
      const { key } = COPIED[table]
      await anyTables(target)
        .deleteFrom(table)
        .where((builder) => hasKey(builder, key, gone))
        .execute()
    }
    removed += gone.length
    after = keyOf(table, page.at(-1)!)
  }
}

export function keyOf(table: Name, row: Row): Key {
  return COPIED[table].key.map((column) => row[column])
}

function identity(table: Name, row: Row): string {
  return JSON.stringify(keyOf(table, row))
}

function rowsOf(db: Queries, table: Name) {
  return anyTables(db)
    .selectFrom(table)
    .$if(table === 'settings', (query) => query.where('key', 'not like', `${OWN_SETTINGS}%`))
}

async function rowsWithKeys(db: Queries, table: Name, keys: readonly Key[]): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map()
  const rows = await rowsOf(db, table)
    .selectAll()
    .where((builder) => hasKey(builder, COPIED[table].key, keys))
    .execute()
  return new Map(rows.map((row: Row) => [identity(table, row), row]))
}

/** A row whose parent came into being after the parents were copied waits for the next round. */
async function withParent(db: Queries, table: Name, rows: readonly Row[]): Promise<Row[]> {
  const { parent } = COPIED[table] as { parent?: { table: Name; column: string } }
  if (!parent || rows.length === 0) return [...rows]
  const ids = [...new Set(rows.map((row) => row[parent.column]))]
  const there = await anyTables(db).selectFrom(parent.table).select('id').where('id', 'in', ids).execute()
  const known = new Set(there.map(({ id }) => id))
  return rows.filter((row) => known.has(row[parent.column]))
}

/** (a, b) > (x, y), written so that both dialects use the key's index. */
function isAfter(builder: Builder, columns: readonly string[], values: Key): Expression<SqlBool> {
  const [first, ...others] = columns
  const [value, ...rest] = values
  if (others.length === 0) return builder(first!, '>', value)
  return builder.and([
    builder(first!, '>=', value),
    builder.or([builder(first!, '>', value), isAfter(builder, others, rest)]),
  ])
}

function hasKey(builder: Builder, columns: readonly string[], keys: readonly Key[]): Expression<SqlBool> {
  if (columns.length === 1)
    return builder(
      columns[0]!,
      'in',
      keys.map(([value]) => value),
    )
  return builder.or(
    keys.map((values) => builder.and(columns.map((column, at) => builder(column, '=', values[at])))),
  )
}

function isSame(row: Row, stored: Row | undefined): boolean {
  return stored !== undefined && Object.keys(row).every((column) => row[column] === stored[column])
}

/** PostgreSQL has no room for the null character in a text. */
function withoutNulls(row: Row): Row {
  const entries = Object.entries(row)
  if (!entries.some(([, value]) => typeof value === 'string' && value.includes('\0'))) return row
  return Object.fromEntries(
    entries.map(([column, value]) => [
      column,
      typeof value === 'string' ? value.replaceAll('\0', '') : value,
    ]),
  )
}

function anyTables(db: Queries): Kysely<AnyTables> {
  return db as unknown as Kysely<AnyTables>
}
