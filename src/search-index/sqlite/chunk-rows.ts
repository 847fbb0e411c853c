import { checkRow, checksumOf, isAscending, presentRow, requireSound } from './checksum.ts'
import type { IndexDatabase } from './database.ts'
import { listsIn } from './postings.ts'

/** A chunk without its sketches, which only a search by meaning reads. */
export interface ChunkRow {
  number: number
  collection: number
  live: number
  documents: Uint8Array
  tie_breaks: Uint8Array
  flags: Uint8Array
  buckets: number
}

const COLUMNS = 'number, collection, live, documents, tie_breaks, flags, buckets, checksum'

export function readChunks(db: IndexDatabase, collection: number): ChunkRow[] {
  const rows = db.sql(`SELECT ${COLUMNS} FROM chunks WHERE collection = ? ORDER BY number`).all(collection)
  const chunks = rows.map((row) => checked(row, collection))
  requireSound(isAscending(chunks.map(({ number }) => number)))
  return chunks
}

export function readChunk(db: IndexDatabase, collection: number, number: number): ChunkRow {
  const row = db.sql(`SELECT ${COLUMNS} FROM chunks WHERE number = ?`).get(number)
  return checked(presentRow(row), collection)
}

export function readSketches(db: IndexDatabase, number: number): Uint8Array {
  const row = presentRow(
    db.sql('SELECT sketches, sketches_checksum FROM chunks WHERE number = ?').get(number),
  )
  const sketches = row['sketches'] as Uint8Array
  checkRow(row['sketches_checksum'], sketches)
  return sketches
}

export function chunkChecksum(row: Omit<ChunkRow, 'number'>): number {
  return checksumOf(row.collection, row.live, row.documents, row.tie_breaks, row.flags, row.buckets)
}

export function writeBuckets(db: IndexDatabase, chunk: number, buckets: readonly Uint8Array[]): void {
  const insert = db.sql('INSERT INTO postings VALUES (?, ?, ?, ?)')
  for (const [at, bucket] of buckets.entries()) insert.run(chunk, at, bucket, checksumOf(chunk, at, bucket))
}

/** The posting lists of neighbouring terms. */
export function readBucketOf(db: IndexDatabase, chunk: number, at: number): Uint8Array {
  const read = db.sql('SELECT entries, checksum FROM postings WHERE chunk = ? AND term = ?')
  return checkedBucket(chunk, at, read.get(chunk, at))
}

/** In the order of the terms. */
export function* allPostings(
  db: IndexDatabase,
  { number, buckets }: Pick<ChunkRow, 'number' | 'buckets'>,
): Generator<[term: number, postings: Uint8Array]> {
  const rows = db.sql('SELECT entries, checksum FROM postings WHERE chunk = ? ORDER BY term').all(number)
  for (let at = 0; at < buckets; at++) yield* listsIn(checkedBucket(number, at, rows[at]))
}

function checked(row: Record<string, unknown>, collection: number): ChunkRow {
  const chunk = row as unknown as ChunkRow
  requireSound(row['checksum'] === chunkChecksum({ ...chunk, collection }))
  return chunk
}

function checkedBucket(chunk: number, at: number, row: Record<string, unknown> | undefined): Uint8Array {
  const { entries, checksum } = presentRow(row)
  checkRow(checksum, chunk, at, entries as Uint8Array)
  return entries as Uint8Array
}
