import { createReadStream } from 'node:fs'
import { fileError, throwIfAborted } from '../../errors.ts'

export interface Line {
  text: string
  /** Of its first byte in the file. */
  offset: number
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

/** The lines of a file from a byte on, one at a time, each with its place. */
export async function* readLines(path: string, options: LineOptions = {}): AsyncGenerator<Line> {
  const { from = 0, longest = LONGEST, onOversized, signal } = options
  let offset = from
  let held: Buffer[] = []
  let size = 0
  const take = (end: Buffer): string | undefined => {
    const bytes = held.length === 0 ? end : Buffer.concat([...held, end])
    const tooLong = size + end.length > longest
    held = []
    size = 0
    if (tooLong) onOversized?.()
    return tooLong ? undefined : bytes.toString('utf8').replace(/^\uFEFF/, '')
  }
  try {
    for await (const chunk of createReadStream(path, {
      start: from,
      highWaterMark: CHUNK,
    }) as AsyncIterable<Buffer>) {
      throwIfAborted(signal)
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        const length = size + (end - start) + 1
        const text = take(chunk.subarray(start, end))
        if (text !== undefined) yield { text, offset, complete: true }
        offset += length
        start = end + 1
      }
      const rest = chunk.subarray(start)
      // Of a line that is too long only its length is kept.
      if (size + rest.length <= longest) held.push(Buffer.from(rest))
      else held = []
      size += rest.length
    }
  } catch (error) {
    throw fileError(error, path, 'cannot import')
  }
  if (size === 0) return
  const text = take(Buffer.alloc(0))
  if (text !== undefined) yield { text, offset, complete: false }
}
