import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { RalphError } from '../errors.ts'
import { ownIds, SHARED_IDS, type SharedIds } from '../storage/own-ids.ts'
import { nextRevisions } from '../storage/revisions.ts'
import type { Queries, Storage, StorageTransaction } from '../storage/storage.ts'
import type { Tables } from '../storage/tables.ts'
import { COPIED } from './copied-tables.ts'

export type Name = keyof Tables
export type Row = { [column: string]: unknown }
/** The values of a row's key columns. */
export type Key = readonly unknown[]

/** One of the two databases, and who works there. */
export interface Side {
  storage: Storage
  person: string
}

/** Keys of settings that are about moving itself, and stay where they are. */
export const OWN_SETTINGS = 'migrate.'
/** So does what a database is called. */
const STORAGE_ID = 'storage.id'
const PAGE = 200

// biome-ignore lint/suspicious/noExplicitAny: tables are named at run time here; COPIED is what is checked
type AnyTables = any
type Builder = ExpressionBuilder<AnyTables, string>

/** Rows of a table that go along, after a key, in the order of that database. */
export async function pageAfter<Table extends Name>(
  side: Side,
  table: Table,
  after: Key | undefined,
): Promise<(Row & Tables[Table])[]> {
  const { key } = COPIED[table]
  let query = rowsOf(side, table).selectAll().limit(PAGE)
  for (const column of key) query = query.orderBy(column)
  if (after) query = query.where((builder) => isAfter(builder, key, after))
  return (await query.execute()) as (Row & Tables[Table])[]
}

/** The person's own rows, and everybody's. */
export async function countRows(side: Side, table: Name): Promise<number> {
  const query = rowsOf(side, table).select((select) => select.fn.countAll().as('rows'))
  return Number((await query.executeTakeFirstOrThrow())['rows'])
}

/** Rows as they are called in the other database: the person's there, under ids that are nobody else's. */
export async function translated(
  db: Queries,
  table: Name,
  rows: readonly Row[],
  person: string,
): Promise<Row[]> {
  const { ids, whose } = tableOf(table)
  const columnsOf = (row: Row) => Object.entries(ids?.(row as never) ?? {}) as [string, SharedIds][]
  const own = new Map<SharedIds, Map<string, string>>()
  for (const of of SHARED_IDS) {
    const named = rows.flatMap((row) =>
      columnsOf(row).flatMap(([column, its]) =>
        its === of && row[column] !== null ? [String(row[column])] : [],
      ),
    )
    own.set(of, await ownIds(db, of, person, named))
  }
  return rows.map((row) => ({
    ...row,
    ...(whose === 'person' && { person }),
    ...Object.fromEntries(
      columnsOf(row).map(([column, of]) => [column, own.get(of)!.get(String(row[column])) ?? row[column]]),
    ),
  }))
}

interface RowsWanted {
  dialect: Storage['dialect']
  /** What is there already stays as it is. */
  keepsOwn: boolean
  person: string
}

/** Writes those of the rows that the target has not, or has differently. Returns how many, and how many must wait. */
export async function writeChanged(
  target: StorageTransaction,
  table: Name,
  rows: readonly Row[],
  { dialect, keepsOwn, person }: RowsWanted,
): Promise<{ written: number; waiting: number }> {
  const { whose, isNewer, revised } = tableOf(table)
  const wanted = rows.map((row) => (dialect === 'postgres' ? withoutNulls(row) : row))
  const stored = await rowsWithKeys(
    target,
    table,
    wanted.map((row) => keyOf(table, row)),
  )
  const changed = wanted.filter((row) => {
    const there = stored.get(identity(table, row))
    if (there === undefined) return true
    if (whose === 'team') return isNewer?.(row as never, there as never) ?? false
    if ('person' in there && there['person'] !== person) throw someoneElses(table)
    return !keepsOwn && !isSame(row, there, revised ? ['revision'] : [])
  })
  const ready = await withParent(target, table, changed)
  if (revised && ready.length > 0) {
    const last = await nextRevisions(target, ready.length)
    for (const [at, row] of ready.entries()) row['revision'] = last - ready.length + at + 1
  }
  await put(target, table, ready)
  return { written: ready.length, waiting: changed.length - ready.length }
}

/** Removes those of the person's own rows that were not seen. Returns how many. */
export async function removeUnseen(side: Side, table: Name, seen: ReadonlySet<string>): Promise<number> {
  let removed = 0
  for (let after: Key | undefined; ; ) {
    const page = await pageAfter(side, table, after)
    if (page.length === 0) return removed
    const gone = page.filter((row) => !seen.has(identity(table, row))).map((row) => keyOf(table, row))
    if (gone.length > 0) {
      await anyTables(side.storage.db)
        .deleteFrom(table)
        .where((builder) => hasKey(builder, COPIED[table].key, gone))
        .execute()
    }
    removed += gone.length
    after = keyOf(table, page.at(-1)!)
  }
}

export function keyOf(table: Name, row: Row): Key {
  return COPIED[table].key.map((column) => row[column])
}

export function identity(table: Name, row: Row): string {
  return JSON.stringify(keyOf(table, row))
}

/** Those of the rows that are not there yet, as they are. Returns how many. */
export async function addMissing(
  target: StorageTransaction,
  table: Name,
  rows: readonly Row[],
): Promise<number> {
  const stored = await rowsWithKeys(
    target,
    table,
    rows.map((row) => keyOf(table, row)),
  )
  const ready = await withParent(
    target,
    table,
    rows.filter((row) => !stored.has(identity(table, row))),
  )
  await put(target, table, ready)
  return ready.length
}

async function put(target: StorageTransaction, table: Name, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const key: readonly string[] = COPIED[table].key
  const columns = Object.keys(rows[0]!).filter((column) => !key.includes(column))
  await anyTables(target)
    .insertInto(table)
    .values([...rows])
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

function rowsOf({ storage, person }: Side, table: Name) {
  return anyTables(storage.db)
    .selectFrom(table)
    .$if(table === 'settings', (query) =>
      query.where('key', 'not like', `${OWN_SETTINGS}%`).where('key', '!=', STORAGE_ID),
    )
    .$if(table === 'person_settings', (query) => query.where('key', 'not like', `${OWN_SETTINGS}%`))
    .$if(['person', 'child'].includes(COPIED[table].whose), (query) => query.where(isOwn(table, person)))
}

/** By its own column, else by that of whatever it belongs to. */
function isOwn(table: Name, person: string): Expression<SqlBool> {
  const { parent } = tableOf(table)
  if (!parent) return sql`person = ${person}`
  return sql`${sql.ref(parent.column)} in (select id from ${sql.table(parent.table)} where ${isOwn(parent.table, person)})`
}

async function rowsWithKeys(db: Queries, table: Name, keys: readonly Key[]): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map()
  const rows = await anyTables(db)
    .selectFrom(table)
    .selectAll()
    .where((builder) => hasKey(builder, COPIED[table].key, keys))
    .execute()
  return new Map(rows.map((row: Row) => [identity(table, row), row]))
}

/** A row whose parent came into being after the parents were copied waits for the next round. */
async function withParent(db: Queries, table: Name, rows: readonly Row[]): Promise<Row[]> {
  const { parent } = tableOf(table)
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

function isSame(row: Row, stored: Row, besides: readonly string[]): boolean {
  return Object.keys(row).every((column) => besides.includes(column) || row[column] === stored[column])
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

function someoneElses(table: Name): RalphError {
  return new RalphError(
    'conflict',
    `a row of ${table} is somebody else's in the target: nothing of it is overwritten`,
  )
}

/** A description without the types of its table. */
interface AnyCopied {
  key: readonly string[]
  whose: string
  parent?: { table: Name; column: string }
  ids?: (row: never) => object
  revised?: true
  isNewer?: (coming: never, there: never) => boolean
}

function tableOf(table: Name): AnyCopied {
  return COPIED[table]
}

function anyTables(db: Queries): Kysely<AnyTables> {
  return db as unknown as Kysely<AnyTables>
}
