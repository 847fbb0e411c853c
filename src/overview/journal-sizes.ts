import { closeSync, lstatSync, readdirSync, readSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { fileError, isRalphError } from '../errors.ts'
import { unescapeFeature } from '../files/feature-name.ts'
import { openOwnFileNow } from '../files/own-files.ts'
import { asNumber, asObject, asString } from '../text/json.ts'
import type { KeptGlance } from './kept-glance.ts'

export interface JournalSize {
  feature: string
  iterations: number
  bytes: number
  /** When the latest of it was recorded, ISO 8601. */
  last: string
}

const ENDING = '.jsonl'
const CHUNK = 256 * 1024
const LINE_FEED = 10

/** Where the latest record is looked for: what is recorded is added at the end. */
const TAIL = 64 * 1024

export interface JournalSizes {
  /** The most recently active first. */
  journals: JournalSize[]
  /** Those that cannot be read, and why. */
  unreadable: { feature: string; message: string; hint?: string }[]
}

/** Every journal. Of one that has grown, only what is new is read; one that cannot be read hides no other. */
export function journalSizes(folder: string, kept: KeptGlance): JournalSizes {
  const sizes: JournalSizes = { journals: [], unreadable: [] }
  for (const name of namesIn(folder)) {
    const feature = unescapeFeature(name.slice(0, -ENDING.length))
    if (feature === undefined) continue
    try {
      sizes.journals.push(sizeOf(join(folder, name), feature, kept))
    } catch (thrown) {
      const error = fileError(thrown, join(folder, name), 'reading the journal')
      if (!isRalphError(error)) throw error
      sizes.unreadable.push({ feature, message: error.message, ...(error.hint && { hint: error.hint }) })
    }
  }
  sizes.journals.sort((a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : a.feature < b.feature ? -1 : 1))
  return sizes
}

function sizeOf(path: string, feature: string, kept: KeptGlance): JournalSize {
  const stats = lstatSync(path)
  const [part, stamp] = [`journal ${feature}`, `${stats.ino}:${stats.size}:${stats.mtimeMs}`]
  const known = kept.last(part)
  const before = asObject(known?.value)
  const [bytes, iterations] = [asNumber(before?.['bytes']) ?? 0, asNumber(before?.['iterations']) ?? 0]
  const last = asString(before?.['last'])
  if (known?.stamp === stamp && last !== undefined) return { feature, iterations, bytes, last }
  const hasGrown = known?.stamp.split(':')[0] === String(stats.ino) && bytes <= stats.size
  const file = openOwnFileNow(path, 'read')
  try {
    const size = {
      iterations: (hasGrown ? iterations : 0) + linesFrom(file, hasGrown ? bytes : 0),
      bytes: stats.size,
      last: lastIn(file, stats),
    }
    kept.keep(part, stamp, size)
    return { feature, ...size }
  } finally {
    closeSync(file)
  }
}

/** A clone or an import is written long after what it tells of; nothing is recorded after its file was written. */
function lastIn(file: number, { size, mtime }: Pick<Stats, 'size' | 'mtime'>): string {
  const tail = Buffer.alloc(Math.min(size, TAIL))
  readSync(file, tail, 0, tail.length, size - tail.length)
  const times = [...tail.toString('latin1').matchAll(/"timestamp":"([^"]{1,40})"/g)]
    .map(([, text]) => new Date(text!))
    .filter((time) => time <= mtime)
  const latest = Math.max(...times.map(Number))
  return (Number.isFinite(latest) ? new Date(latest) : mtime).toISOString()
}

function linesFrom(file: number, from: number): number {
  const chunk = Buffer.alloc(CHUNK)
  let lines = 0
  for (let at = from; ; ) {
    const length = readSync(file, chunk, 0, CHUNK, at)
    if (length === 0) return lines
    for (
      let end = chunk.indexOf(LINE_FEED);
      end !== -1 && end < length;
      end = chunk.indexOf(LINE_FEED, end + 1)
    )
      lines++
    at += length
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ENDING))
  } catch {
    return [] // nothing recorded yet
  }
}
