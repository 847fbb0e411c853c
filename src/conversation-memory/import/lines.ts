import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { fileError, throwIfAborted } from '../../errors.ts'

export interface Line {
  text: string
  /** Of its first byte in the file, and of the first byte after it. */
  offset: number
  next: number
  /** False for a last line without line feed: whoever writes it may not be done. */
  complete: boolean
}

export interface LineOptions {
  from?: number
  /** Longer lines are skipped, and counted by `onOversized`. */
  longest?: number
  onOversized?: () => void
  signal?: AbortSignal | undefined
}

const LINE_FEED = 10
const CHUNK = 256 * 1024
const LONGEST = 64 * 1024 * 1024
const FINGERPRINTED = 1_024

/** A file of lines, opened once. */
export class LineFile {
  readonly #path: string
  readonly #handle: FileHandle

  private constructor(path: string, handle: FileHandle) {
    this.#path = path
    this.#handle = handle
  }

  static async open(path: string): Promise<LineFile> {
    const handle = await open(path, 'r').catch((error: unknown) => {
      throw fileError(error, path, 'cannot import')
    })
    return new LineFile(path, handle)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  /** The lines from a byte on, one at a time, each with its place. */
  async *lines(options: LineOptions = {}): AsyncGenerator<Line> {
    const { from = 0, longest = LONGEST, onOversized, signal } = options
    const buffer = Buffer.allocUnsafe(CHUNK)
    let offset = from
    let held: Buffer[] = []
    let size = 0
    const take = (end: Buffer): string | undefined => {
      const tooLong = size + end.length > longest
      const bytes = held.length === 0 ? end : Buffer.concat([...held, end])
      held = []
      size = 0
      if (tooLong) onOversized?.()
      return tooLong ? undefined : bytes.toString('utf8').replace(/^\uFEFF/, '')
    }
    for (let position = from; ; ) {
      throwIfAborted(signal)
      const chunk = buffer.subarray(0, await this.#read(buffer, position))
      if (chunk.length === 0) break
      position += chunk.length
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        const next = offset + size + (end - start) + 1
        const text = take(chunk.subarray(start, end))
        if (text !== undefined) yield { text, offset, next, complete: true }
        offset = next
        start = end + 1
      }
      const rest = chunk.subarray(start)
      // Of a line that is too long only its length is kept. A copy: the buffer is filled again.
      if (size + rest.length > longest) held = []
      else if (rest.length > 0) held.push(Buffer.from(rest))
      size += rest.length
    }
    if (size === 0) return
    const next = offset + size
    const text = take(Buffer.alloc(0))
    if (text !== undefined) yield { text, offset, next, complete: false }
  }

  /** Of the bytes before `offset`: tells a file that has grown from one that was written anew. */
  async fingerprint(offset: number): Promise<string> {
    const before = Buffer.alloc(Math.min(offset, FINGERPRINTED))
    const length = before.length === 0 ? 0 : await this.#read(before, offset - before.length)
    return createHash('sha256').update(before.subarray(0, length)).digest('base64').slice(0, 22)
  }

  async #read(into: Buffer, position: number): Promise<number> {
    try {
      return (await this.#handle.read(into, 0, into.length, position)).bytesRead
    } catch (error) {
      throw fileError(error, this.#path, 'cannot import')
    }
  }
}
