/** Rows per statement: SQLite allows 32,766 parameters. */
const ROWS = 500

export function* inParts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += ROWS) yield items.slice(at, at + ROWS)
}
