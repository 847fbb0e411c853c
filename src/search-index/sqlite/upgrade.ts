import type { DatabaseSync } from 'node:sqlite'
import { checksumOf } from './checksum.ts'
import { checkVector, type DocumentRow, packPayload, payloadOf, type VectorRow } from './document-row.ts'
import { packBuckets } from './postings.ts'
import { packVector } from './rounded-vector.ts'
import { SCHEMA_VERSION } from './schema.ts'

/**
 * Version 1 knew no checksums and kept a row for each term; 2 did not know how many rows there must be; 3 knew no details; 4 had
 * vectors of floats, and the hash of a text in its payload, too.
 */
export const OLDEST_UPGRADED = 1

const WITHOUT_CHECKSUM = ['collections', 'documents', 'vectors', 'loose', 'chunks', 'postings', 'facets']

/** Brings an older file to what `SCHEMA` says, inside the caller's transaction: vectors are too dear to be made again. */
export function upgrade(database: DatabaseSync, version: number): void {
  database.function('checksum_of', { varargs: true, deterministic: true }, (...parts) =>
    checksumOf(...(parts as (string | number | Uint8Array | null)[])),
  )
  if (version < 3) addChecksums(database, version)
  if (version < 4)
    database.exec(`
      ALTER TABLE vectors ADD COLUMN detail_checksum INTEGER;
      CREATE TABLE details (document INTEGER PRIMARY KEY, detail BLOB NOT NULL) STRICT`)
  shrink(database)
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
}

/** A row that is not as it was written gets no new checksum: then all of it is built again. */
function shrink(database: DatabaseSync): void {
  database.function('rounded', (document, steps, checksum, detail_checksum) => {
    const row = { document, steps, checksum, detail_checksum } as VectorRow
    checkVector(row)
    return packVector(new Float32Array(row.steps.slice().buffer))
  })
  database.function('packed', (id, text_hash, payload, checksum) => {
    const row = { id, text_hash, payload, checksum } as DocumentRow
    return packPayload(payloadOf(row), row.text_hash)
  })
  database.exec(`
    ALTER TABLE vectors RENAME COLUMN vector TO steps;
    UPDATE vectors SET steps = rounded(document, steps, checksum, detail_checksum);
    UPDATE vectors SET checksum = iif(detail_checksum IS NULL,
      checksum_of(document, steps), checksum_of(document, steps, detail_checksum));
    UPDATE documents SET payload = packed(id, text_hash, payload, checksum);
    UPDATE documents SET checksum = checksum_of(id, text_hash, payload)`)
}

function addChecksums(database: DatabaseSync, version: number): void {
  if (version === 1) {
    for (const table of WITHOUT_CHECKSUM)
      database.exec(`ALTER TABLE ${table} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0`)
    database.exec(`
      ALTER TABLE chunks ADD COLUMN sketches_checksum INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE facets ADD COLUMN values_checksum INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE chunks ADD COLUMN buckets INTEGER NOT NULL DEFAULT 0`)
  }
  // Also in a file of version 2 that had been one of version 1.
  for (const { number } of database.prepare('SELECT number FROM chunks WHERE buckets = 0').all())
    bucketPostings(database, number as number)
  database.exec('ALTER TABLE collections ADD COLUMN documents INTEGER NOT NULL DEFAULT 0')
  database.exec(`
    UPDATE collections SET documents = (SELECT coalesce(sum(live), 0) FROM chunks WHERE collection = collections.number)
      + (SELECT count(*) FROM loose WHERE collection = collections.number);
    UPDATE collections SET checksum =
      checksum_of(number, name, embedder_id, dimensions, filterable, documents, state);
    UPDATE documents SET checksum = checksum_of(id, text_hash, payload);
    UPDATE vectors SET checksum = checksum_of(document, vector);
    UPDATE loose SET checksum = checksum_of(collection, document, tie_break, hashes, weights, sketch);
    UPDATE chunks SET checksum = checksum_of(collection, live, documents, tie_breaks, flags, buckets),
      sketches_checksum = checksum_of(sketches);
    UPDATE postings SET checksum = checksum_of(chunk, term, entries);
    UPDATE facets SET checksum = checksum_of(chunk, field, lowest, highest, slots),
      values_checksum = checksum_of(chunk, field, field_values)`)
}

function bucketPostings(database: DatabaseSync, chunk: number): void {
  const rows = database.prepare('SELECT term, entries FROM postings WHERE chunk = ? ORDER BY term').all(chunk)
  const buckets = packBuckets(rows.map(({ term, entries }) => [term as number, entries as Uint8Array]))
  database.prepare('DELETE FROM postings WHERE chunk = ?').run(chunk)
  const insert = database.prepare('INSERT INTO postings (chunk, term, entries, checksum) VALUES (?, ?, ?, 0)')
  for (const [at, bucket] of buckets.entries()) insert.run(chunk, at, bucket)
  database.prepare('UPDATE chunks SET buckets = ? WHERE number = ?').run(buckets.length, chunk)
}
