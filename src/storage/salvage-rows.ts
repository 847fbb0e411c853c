import type { DatabaseSync } from 'node:sqlite'

export type SalvagedRow = Record<string, null | number | bigint | string | Uint8Array>

/** The largest number that SQLite gives a row. */
const LAST = 2n ** 63n - 1n

/**
 * Every row of a table that can still be read, in order. A damaged page takes the rows of a stretch of numbers along: the next
 * one behind it is found by asking further and further on, and then halving. `unreadable` hears of rows that are there in part.
 */
export function* readableRows(
  database: DatabaseSync,
  table: string,
  unreadable: () => void,
): Generator<SalvagedRow> {
  const from = database.prepare(`select rowid as "#", * from "${table}" where rowid >= ? order by rowid`)
  from.setReadBigInts(true)
  for (let next = -LAST; ; ) {
    try {
      for (const row of from.iterate(next)) {
        const { '#': number, ...values } = row as SalvagedRow & { '#': bigint }
        next = number + 1n
        if (isWhole(values)) yield values
        else unreadable()
      }
      return
    } catch {
      const behind = firstBehind(from, next)
      if (behind === undefined) return
      next = behind
    }
  }
}

/** The lowest number from which on something can be read again; undefined where that is nowhere. */
function firstBehind(from: ReturnType<DatabaseSync['prepare']>, damaged: bigint): bigint | undefined {
  const isReadable = (number: bigint) => {
    try {
      from.get(number)
      return true
    } catch {
      return false
    }
  }
  let low = damaged > 0n ? damaged : 0n
  let step = 1n
  while (!isReadable(low + step)) {
    step *= 2n
    if (low + step > LAST) return undefined
  }
  for (let high = low + step; high - low > 1n; ) {
    const middle = (low + high) / 2n
    if (isReadable(middle)) high = middle
    else low = middle
    if (high - low <= 1n) return high
  }
  return low + step
}

/** Nothing that we store holds a zero byte: that is a page that was lost, read as text. */
function isWhole(values: SalvagedRow): boolean {
  return Object.values(values).every((value) => typeof value !== 'string' || !value.includes('\0'))
}
