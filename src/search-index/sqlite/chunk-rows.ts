import { checkRow, checksumOf, presentRow } from './checksum.ts'
import type { IndexDatabase } from './database.ts'
import { bucketOf, readBucket } from './postings.ts'

/** A chunk without its sketches, which only a search by meaning reads. */
export interface ChunkRow {
  number: number
  live: number
  documents: Uint8Array
  tie_breaks: Uint8Array
  flags: Uint8Array
  /** 0 in a chunk of version 1, which has a row for each term. */
  buckets: number
}

const COLUMNS = 'number, live, documents, tie_breaks, flags, buckets, checksum'

export function readChunks(db: IndexDatabase, collection: number): ChunkRow[] {
  const rows = db.sql(`SELECT ${COLUMNS} FROM chunks WHERE collection = ? ORDER BY number`).all(collection)
  return rows.map((row) => checked(row as unknown as StoredRow))
}

export function readChunk(db: IndexDatabase, number: number): ChunkRow {
  const row = db.sql(`SELECT ${COLUMNS} FROM chunks WHERE number = ?`).get(number)
  return checked(presentRow(row) as unknown as StoredRow)
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
  return checksumOf(row.live, row.documents, row.tie_breaks, row.flags, row.buckets)
}

export function writeBuckets(db: IndexDatabase, chunk: number, buckets: readonly Uint8Array[]): void {
  const insert = db.sql('INSERT INTO postings VALUES (?, ?, ?, ?)')
  for (const [at, bucket] of buckets.entries()) insert.run(chunk, at, bucket, checksumOf(chunk, at, bucket))
}

/** Undefined when no document of the chunk has the term. */
export function postingsOf(
  db: IndexDatabase,
  { number, buckets }: Pick<ChunkRow, 'number' | 'buckets'>,
  term: number,
): Uint8Array | undefined {
  const read = db.sql('SELECT entries, checksum FROM postings WHERE chunk = ? AND term = ?')
  if (buckets === 0) return read.get(number, term)?.['entries'] as Uint8Array | undefined
  const at = bucketOf(term, buckets)
  for (const [found, postings] of checkedBucket(number, at, read.get(number, at))) {
    if (found === term) return postings
  }
  return undefined
}

/** In the order of the terms. */
export function* allPostings(
  db: IndexDatabase,
  { number, buckets }: Pick<ChunkRow, 'number' | 'buckets'>,
): Generator<[term: number, postings: Uint8Array]> {
  const rows = db
    .sql('SELECT term, entries, checksum FROM postings WHERE chunk = ? ORDER BY term')
    .all(number)
  if (buckets === 0) {
    for (const { term, entries } of rows) yield [term as number, entries as Uint8Array]
    return
  }
  for (let at = 0; at < buckets; at++) yield* checkedBucket(number, at, rows[at])
}

type StoredRow = ChunkRow & { checksum: number }

function checked(row: StoredRow): ChunkRow {
  const { live, documents, tie_breaks, flags, buckets } = row
  checkRow(row.checksum, live, documents, tie_breaks, flags, buckets)
  return row
}

function checkedBucket(chunk: number, at: number, row: Record<string, unknown> | undefined) {
  const { entries, checksum } = presentRow(row)
  checkRow(checksum, chunk, at, entries as Uint8Array)
  return readBucket(entries as Uint8Array)
}
