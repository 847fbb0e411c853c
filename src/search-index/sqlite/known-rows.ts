/** Of what one index has in memory. With all sketches of 100,000 documents there is room for 25,000 of their vectors. */
const MOST_BYTES = 48_000_000
/** What a small row takes beside its content. */
const OVERHEAD = 200

/**
 * What searches have read from the file and checked, for the next search of the same process: an agent's server asks the
 * same few collections all day. It holds for one state of the file, and is gone as soon as anybody has written.
 */
export class KnownRows {
  readonly #rows = new Map<string, Map<number | string, unknown>>()
  readonly #mostBytes: number
  #state = ''
  #bytes = 0

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  /** Forgets what was read from another state of the file. */
  holdFor(state: string): void {
    if (state === this.#state) return
    this.forget()
    this.#state = state
  }

  get<Row>(kind: string, name: number | string, read: () => Row, bytesOf: (row: Row) => number): Row {
    const known = this.find<Row>(kind, name)
    if (known !== undefined) return known
    const row = read()
    this.keep(kind, name, row, bytesOf(row))
    return row
  }

  find<Row>(kind: string, name: number | string): Row | undefined {
    return this.#rows.get(kind)?.get(name) as Row | undefined
  }

  keep(kind: string, name: number | string, row: unknown, bytes: number): void {
    if (this.#bytes + bytes > this.#mostBytes) this.forget()
    this.#bytes += OVERHEAD + bytes
    const rows = this.#rows.get(kind)
    if (rows) rows.set(name, row)
    else this.#rows.set(kind, new Map([[name, row]]))
  }

  forget(): void {
    this.#rows.clear()
    this.#bytes = 0
  }
}
