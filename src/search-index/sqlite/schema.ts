/** "Ralp": tells our file from any other SQLite database. */
export const APPLICATION_ID = 0x52616c70

/** Raised with every change below. An older file is brought up to date where `upgrade.ts` knows how, else built again; a newer one is left alone. */
export const SCHEMA_VERSION = 5

/**
 * Numbers of collections, documents and chunks are never reused, so a stale one finds nothing instead of something else.
 *
 * A document is first `loose`: its terms and sketch lie in a row of its own, which a search reads one by one. A few
 * hundred loose ones are packed into a chunk, where a search reads only the postings of its words and all sketches at
 * once. Chunks of a collection grow by merging, so there are few. The postings of a chunk lie in `buckets` rows whose `term`
 * is the bucket's number. Details lie apart from the vectors, of which a search reads many more; the vector's row knows whether there
 * is one. Vectors are rounded (`rounded-vector.ts`). See docs/decisions/search-index.md.
 */
export const SCHEMA = `
CREATE TABLE collections (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  embedder_id TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  filterable TEXT NOT NULL,
  documents INTEGER NOT NULL DEFAULT 0,
  state TEXT,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL,
  id TEXT NOT NULL,
  chunk INTEGER,
  text_hash TEXT NOT NULL,
  payload TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  UNIQUE (collection, id)
) STRICT;

CREATE TABLE vectors (
  document INTEGER PRIMARY KEY,
  steps BLOB NOT NULL,
  checksum INTEGER NOT NULL,
  detail_checksum INTEGER
) STRICT;

CREATE TABLE details (
  document INTEGER PRIMARY KEY,
  detail BLOB NOT NULL
) STRICT;

CREATE TABLE loose (
  collection INTEGER NOT NULL,
  document INTEGER NOT NULL,
  tie_break INTEGER NOT NULL,
  hashes BLOB NOT NULL,
  weights BLOB NOT NULL,
  sketch BLOB,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (collection, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunks (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL,
  live INTEGER NOT NULL,
  documents BLOB NOT NULL,
  tie_breaks BLOB NOT NULL,
  flags BLOB NOT NULL,
  sketches BLOB NOT NULL,
  buckets INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  sketches_checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX chunks_of_collection ON chunks (collection, live);

CREATE TABLE postings (
  chunk INTEGER NOT NULL,
  term INTEGER NOT NULL,
  entries BLOB NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (chunk, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE facets (
  chunk INTEGER NOT NULL,
  field TEXT NOT NULL,
  lowest ANY,
  highest ANY,
  slots BLOB NOT NULL,
  field_values TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  values_checksum INTEGER NOT NULL,
  PRIMARY KEY (chunk, field)
) STRICT, WITHOUT ROWID;
`
