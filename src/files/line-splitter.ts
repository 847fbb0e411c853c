const LINE_FEED = 10
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Bytes in any portions → lines, each handed over as soon as it is complete. A line is decoded only when whole, so a
 * character split between two portions survives. Longer lines than `longest` are skipped and counted.
 */
export class LineSplitter {
  readonly #longest: number
  readonly #line: (bytes: Buffer) => void
  #parts: Buffer[] = []
  #held = 0
  #skipping = false
  #started = false
  oversized = 0

  constructor(longest: number, line: (bytes: Buffer) => void) {
    this.#longest = longest
    this.#line = line
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#complete(chunk.subarray(start, end))
      start = end + 1
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
  }

  /** What came after the last line feed; undefined when the input ended with one. */
  rest(): Buffer | undefined {
    const rest = this.#held > 0 ? this.#withoutMark(Buffer.concat(this.#parts)) : undefined
    this.#parts = []
    this.#held = 0
    return rest
  }

  #complete(end: Buffer): void {
    if (this.#skipping) {
      this.#skipping = false
      return
    }
    if (this.#held + end.length > this.#longest) {
      this.#drop()
      return
    }
    const bytes = this.#held === 0 ? end : Buffer.concat([...this.#parts, end])
    this.#parts = []
    this.#held = 0
    this.#line(this.#withoutMark(bytes))
  }

  #hold(part: Buffer): void {
    if (this.#skipping) return
    if (this.#held + part.length > this.#longest) {
      this.#drop()
      this.#skipping = true
      return
    }
    // A copy: whoever feeds us may reuse the chunk's memory.
    this.#parts.push(Buffer.from(part))
    this.#held += part.length
  }

  #drop(): void {
    this.oversized++
    this.#parts = []
    this.#held = 0
  }

  #withoutMark(bytes: Buffer): Buffer {
    if (this.#started) return bytes
    this.#started = true
    return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes
  }
}
