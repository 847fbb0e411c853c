import { fstatSync, readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { isRalphError, messageOf } from '../errors.ts'
import { chunksOf, fingerprintBefore, linesFromEnd, linesOf } from '../files/lines.ts'
import { z } from '../text/schema.ts'
import { fromJournalLine, type IterationRecord } from './record.ts'

/** How far somebody has read a journal, and what stood just before: if that changed, they start again. */
export const JournalPosition = z.object({ offset: z.int(), line: z.int(), fingerprint: z.string() })
export type JournalPosition = z.infer<typeof JournalPosition>

export const START: JournalPosition = { offset: 0, line: 0, fingerprint: '' }

interface JournalPlace {
  /** Counted from 1, as editors do. */
  line: number
  /** Of its first byte. */
  offset: number
  /** Where the next line begins; for a last line without line feed, where this one begins (it may still grow). */
  next: { offset: number; line: number }
}
export type JournalItem<Entry = IterationRecord> = JournalPlace &
  (
    | { kind: 'record'; record: Entry; text: string }
    | {
        kind: 'damage'
        reason: string
        text: string
        /** Not damaged, but of a version that this ralph does not know. */
        newer?: true
      }
  )

/** What is wanted of a line; throws a RalphError for one that is damaged. */
export type ParseLine<Entry> = (line: string) => Entry

const NOWHERE = { line: 0, offset: 0, next: { offset: 0, line: 0 } }
export const LINE_FEED = 0x0a
const CHUNK = 256 * 1024
const MOST_OF_LINES = 8 * 1024
/** Our longest line is some 100 KB; anything far beyond is not ours and must not fill memory. */
export const LONGEST_LINE = 8 * 1024 * 1024

/** Every line from `start` on as a record or as damage; blank lines are passed over. Holds a chunk at a time. */
export async function* journalItems<Entry>(
  file: FileHandle,
  start: JournalPosition,
  parseLine: ParseLine<Entry>,
): AsyncGenerator<JournalItem<Entry>> {
  let line = start.line
  const options = { from: start.offset, longest: LONGEST_LINE }
  for await (const { text, offset, next, complete } of linesOf(chunksOf(file, start.offset), options)) {
    line++
    const place = { line, offset, next: complete ? { offset: next, line } : { offset, line: line - 1 } }
    const item: JournalItem<Entry> | undefined =
      text === undefined
        ? { kind: 'damage', reason: `longer than ${LONGEST_LINE} bytes`, text: '', ...place }
        : parse(text, place, parseLine)
    if (item) yield item
  }
}

function parse<Entry>(
  raw: string,
  place: JournalPlace,
  parseLine: ParseLine<Entry>,
): JournalItem<Entry> | undefined {
  const text = raw.replace(/^\uFEFF/, '').trim() // editors add byte order marks and carriage returns
  if (text === '') return undefined
  try {
    return { kind: 'record', record: parseLine(text), text, ...place }
  } catch (error) {
    if (!isRalphError(error)) throw error
    const newer = error.code === 'unsupported_version' && { newer: true as const }
    return { kind: 'damage', reason: messageOf(error), text, ...newer, ...place }
  }
}

/** The newest first; only lines that `mayMatch` are looked into, which is what most of the time goes into. */
export async function* recordsFromEnd(
  file: FileHandle,
  mayMatch: (line: string) => boolean,
): AsyncGenerator<IterationRecord> {
  for await (const line of linesFromEnd(file, LONGEST_LINE)) {
    if (!mayMatch(line)) continue
    const item = parse(line, NOWHERE, fromJournalLine)
    if (item?.kind === 'record') yield item.record
  }
}

/** The records of the lines that begin at these places; none for a line that is no record, or no longer begins there. */
export async function recordsAt(
  file: FileHandle,
  offsets: readonly number[],
): Promise<(IterationRecord | undefined)[]> {
  const records: (IterationRecord | undefined)[] = []
  for (const offset of offsets) {
    const text = await lineAt(file, offset)
    const item = text === undefined ? undefined : parse(text, NOWHERE, fromJournalLine)
    records.push(item?.kind === 'record' ? item.record : undefined)
  }
  return records
}

/** Most lines are a few thousand bytes: a whole chunk is read only for one that is longer. */
async function lineAt(file: FileHandle, offset: number): Promise<string | undefined> {
  // From the line feed before it on.
  const from = Math.max(0, offset - 1)
  const buffer = Buffer.allocUnsafe(MOST_OF_LINES)
  // At once: handing so little to another thread takes longer than reading it.
  const bytesRead = readSync(file.fd, buffer, 0, MOST_OF_LINES, from)
  if (bytesRead === 0 || (offset > 0 && buffer[0] !== LINE_FEED)) return undefined
  const end = buffer.subarray(0, bytesRead).indexOf(LINE_FEED, offset - from)
  if (end !== -1) return buffer.toString('utf8', offset - from, end)
  const chunks = chunksOf(file, offset, offset + LONGEST_LINE)
  for await (const { text } of linesOf(chunks, { longest: LONGEST_LINE })) return text
  return undefined
}

export async function countLines(file: FileHandle): Promise<{ iterations: number; bytes: number }> {
  let iterations = 0
  let bytes = 0
  for await (const chunk of chunksOf(file)) {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) iterations++
    bytes += chunk.length
  }
  return { iterations, bytes }
}

export function positionAt(file: FileHandle, place: { offset: number; line: number }): JournalPosition {
  return { ...place, fingerprint: fingerprintBefore(file.fd, place.offset) }
}

/** True when what stood just before `position` still stands there. */
export function stillFits(file: FileHandle, { offset, fingerprint }: JournalPosition): boolean {
  return offset <= sizeOf(file) && fingerprintBefore(file.fd, offset) === fingerprint
}

export function sizeOf(file: FileHandle): number {
  return fstatSync(file.fd).size
}

/** The bytes after the last line feed. */
export async function trailingFragment(
  file: FileHandle,
  size: number,
): Promise<{ text: string; start: number }> {
  const tail: Buffer[] = []
  for (let end = size; end > 0; ) {
    const length = Math.min(CHUNK, end)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, end - length)
    const at = buffer.lastIndexOf(LINE_FEED)
    tail.unshift(buffer.subarray(at + 1))
    if (at !== -1) break
    end -= length
  }
  const bytes = Buffer.concat(tail)
  return { text: bytes.toString('utf8'), start: size - bytes.length }
}
