import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { throwIfAborted } from '../errors.ts'

/** Where a line stands in its input. */
export interface LinePlace {
  /** Of its first byte, and of the first byte after it. */
  offset: number
  next: number
  /** False for a last line without line feed: whoever writes it may not be done. */
  complete: boolean
}

export interface Line extends LinePlace {
  /** Undefined when it is longer than any line we are willing to hold. */
  text: string | undefined
}

export interface LineOptions {
  /** In bytes. */
  longest?: number | undefined
  /** The place of the first byte that is given. */
  from?: number | undefined
  signal?: AbortSignal | undefined
}

const LINE_FEED = 10
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const LONGEST = 64 * 1024 * 1024
/** Large enough to keep the disk busy, small enough to be nothing. */
const CHUNK = 256 * 1024
const FINGERPRINTED = 1_024

/**
 * Bytes in any portions → lines, each handed over as soon as it is complete. Only a line feed ends one: agents write
 * other separators (U+2028) into their text as they are. A line is decoded only when whole, so a character split
 * between two portions survives. Of a line that is too long only its place is handed over.
 */
export class LineSplitter {
  readonly #longest: number
  readonly #take: (bytes: Buffer | undefined, place: LinePlace) => void
  #parts: Buffer[] = []
  /** Bytes of the line under way, also of one that is too long to be held. */
  #length = 0
  #offset: number

  constructor(
    take: (bytes: Buffer | undefined, place: LinePlace) => void,
    { longest = LONGEST, from = 0 }: Pick<LineOptions, 'longest' | 'from'> = {},
  ) {
    this.#take = take
    this.#longest = longest
    this.#offset = from
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#complete(chunk.subarray(start, end), true)
      start = end + 1
    }
    const rest = chunk.subarray(start)
    if (rest.length === 0) return
    this.#length += rest.length
    if (this.#length > this.#longest) this.#parts = []
    // A copy: whoever feeds us may reuse the chunk's memory.
    else this.#parts.push(Buffer.from(rest))
  }

  /** The end of the input: what came after the last line feed is a line too. What is pushed next begins another input. */
  end(): void {
    if (this.#length > 0) this.#complete(Buffer.alloc(0), false)
    this.#offset = 0
  }

  #complete(end: Buffer, complete: boolean): void {
    const length = this.#length + end.length
    const place = { offset: this.#offset, next: this.#offset + length + (complete ? 1 : 0), complete }
    const bytes = this.#parts.length === 0 ? end : Buffer.concat([...this.#parts, end])
    this.#parts = []
    this.#length = 0
    this.#offset = place.next
    this.#take(length > this.#longest ? undefined : place.offset === 0 ? withoutMark(bytes) : bytes, place)
  }
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes
}

/** The lines of an input, with their places, a chunk's worth of them in memory. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array | string>,
  { signal, ...options }: LineOptions = {},
): AsyncGenerator<Line> {
  let lines: Line[] = []
  const splitter = new LineSplitter(
    (bytes, place) => lines.push({ text: bytes?.toString('utf8'), ...place }),
    options,
  )
  for await (const chunk of chunks) {
    throwIfAborted(signal)
    splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    yield* lines
    lines = []
  }
  splitter.end()
  yield* lines
}

/** The texts of the lines alone, however long. */
export async function* textLinesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  for await (const { text } of linesOf(chunks, { longest: Number.POSITIVE_INFINITY })) yield text!
}

/** What an open file holds between two places. Each portion is valid until the next is asked for. */
export async function* chunksOf(
  file: FileHandle,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (let offset = from; offset < to; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK, to - offset), offset)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    offset += bytesRead
  }
}

/** The lines of a file from its end to its start, without the empty ones; a chunk's worth of them in memory. */
export async function* linesFromEnd(file: FileHandle, longest = LONGEST): AsyncGenerator<string> {
  const { size } = await file.stat()
  // The beginning of a line whose start has not been read yet; dropped once it is too long to be held.
  let rest: Buffer[] = []
  let held = 0
  for (let end = size; end > 0; ) {
    const length = Math.min(CHUNK, end)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, end - length)
    let to = length
    for (
      let at = buffer.lastIndexOf(LINE_FEED);
      at !== -1;
      at = at > 0 ? buffer.lastIndexOf(LINE_FEED, at - 1) : -1
    ) {
      if (held + to - at - 1 <= longest) {
        const line = Buffer.concat([buffer.subarray(at + 1, to), ...rest])
        if (line.length > 0) yield line.toString('utf8')
      }
      rest = []
      held = 0
      to = at
    }
    held += to
    if (held > longest) rest = []
    else rest.unshift(buffer.subarray(0, to))
    end -= length
  }
  if (held > 0 && held <= longest) yield withoutMark(Buffer.concat(rest)).toString('utf8')
}

/** Of the bytes before a place: tells a file that has grown from one that was written anew. */
export function fingerprintBefore(file: number, offset: number): string {
  if (offset === 0) return ''
  const length = Math.min(offset, FINGERPRINTED)
  const buffer = Buffer.alloc(length)
  // At once: handing so little to another thread takes longer than reading it.
  const bytesRead = readSync(file, buffer, 0, length, offset - length)
  return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('base64').slice(0, 22)
}
