/** One row of `sqlite_schema`: a table or an index, and the page at which it begins. */
export interface SchemaRow {
  type: string
  name: string
  table: string
  root: number
  sql: string | null
}

/** https://www.sqlite.org/fileformat.html#b_tree_pages */
const TABLE_LEAF = 0x0d
const ROOT_TYPES: { readonly [type: string]: readonly number[] } = {
  table: [TABLE_LEAF, 0x05],
  index: [0x0a, 0x02],
}

/** Pages by their numbers, from 1 on; throws a RangeError beyond the last. */
export interface Pages {
  size: number
  count: number
  read(number: number): Buffer
}

/**
 * The rows of the schema that lie outside the first page, wherever they are: whoever has lost the way to its tables finds them
 * by what such a row looks like. The first page of a schema as large as ours holds only where the others are.
 */
export function schemaRowsIn(pages: Pages): SchemaRow[] {
  const found = new Map<string, SchemaRow>()
  for (let number = 2; number <= pages.count; number++)
    for (const row of rowsOn(pages, number))
      if (ROOT_TYPES[row.type]!.includes(typeOf(pages, row.root))) found.set(row.name, row)
  return [...found.values()]
}

function typeOf(pages: Pages, number: number): number {
  return number > 1 && number <= pages.count ? pages.read(number)[0]! : 0
}

function* rowsOn(pages: Pages, number: number): Generator<SchemaRow> {
  const page = pages.read(number)
  if (page[0] !== TABLE_LEAF) return
  for (let cell = page.readUInt16BE(3) - 1; cell >= 0; cell--) {
    const row = ifWhole(() => schemaRow(payloadOf(pages, page, page.readUInt16BE(8 + 2 * cell))))
    if (row) yield row
  }
}

/** Pages of anything else are read as if they were of the schema: what leads beyond their ends is none. */
function ifWhole<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Of a cell, with what stands on further pages. */
function payloadOf(pages: Pages, page: Buffer, at: number): Buffer {
  const length = varint(page, at)
  const start = varint(page, length.next).next
  const most = pages.size - 35
  if (length.value <= most) return slice(page, start, length.value)
  const least = Math.floor(((pages.size - 12) * 32) / 255) - 23
  const fitting = least + ((length.value - least) % (pages.size - 4))
  const local = fitting <= most ? fitting : least
  const parts = [slice(page, start, local)]
  let next = page.readUInt32BE(start + local)
  for (let left = length.value - local; left > 0; left -= pages.size - 4) {
    const more = pages.read(next)
    parts.push(slice(more, 4, Math.min(left, pages.size - 4)))
    next = more.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

function schemaRow(payload: Buffer): SchemaRow | undefined {
  const header = varint(payload, 0)
  const kinds: number[] = []
  for (let at = header.next; at < header.value && kinds.length <= 5; ) {
    const kind = varint(payload, at)
    kinds.push(kind.value)
    at = kind.next
  }
  if (kinds.length !== 5) return undefined
  let at = header.value
  const [type, name, table, root, sql] = kinds.map((kind) => {
    const bytes = slice(payload, at, bytesOf(kind))
    at += bytes.length
    return isText(kind) ? bytes.toString('utf8') : isNumber(kind) ? numberIn(kind, bytes) : null
  })
  const isNamed = typeof name === 'string' && typeof table === 'string' && typeof root === 'number'
  if (!isNamed || typeof type !== 'string' || !Object.hasOwn(ROOT_TYPES, type)) return undefined
  const isOurs = typeof sql === 'string' ? /^create /i.test(sql) : name.startsWith('sqlite_autoindex_')
  return isOurs ? { type, name, table, root, sql: sql as string | null } : undefined
}

const isText = (kind: number) => kind >= 13 && kind % 2 === 1
const isNumber = (kind: number) => kind >= 1 && kind <= 9 && kind !== 7
const NUMBER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

function bytesOf(kind: number): number {
  return kind >= 12 ? Math.floor((kind - 12) / 2) : (NUMBER_BYTES[kind] ?? 0)
}

function numberIn(kind: number, bytes: Buffer): number {
  if (kind === 8 || kind === 9) return kind - 8
  return kind <= 5 ? bytes.readIntBE(0, bytes.length) : Number(bytes.readBigInt64BE())
}

function varint(bytes: Buffer, at: number): { value: number; next: number } {
  let value = 0
  for (let next = at; next < at + 8; next++) {
    const byte = bytes.readUInt8(next)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, next: next + 1 }
  }
  throw new RangeError('longer than any of ours')
}

function slice(bytes: Buffer, from: number, length: number): Buffer {
  if (from + length > bytes.length) throw new RangeError('beyond its end')
  return bytes.subarray(from, from + length)
}
