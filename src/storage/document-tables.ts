import type { EpochMs, Flag, JsonText } from './tables.ts'

export interface DocumentTables {
  document_sources: DocumentSourceRow
  documents: KeptFileRow
  document_pieces: DocumentPieceRow
}

/** A file or folder that a person has added. */
export interface DocumentSourceRow {
  id: string
  person: string
  /** Where it lies: the same path on another machine is another folder. */
  home: string
  path: string
  is_folder: Flag
  /** What the person allowed for it. */
  most_files: number
  most_bytes: number | null
  added_at: EpochMs
  synced_at: EpochMs | null
}

/** A file of it as it was last read. */
export interface KeptFileRow {
  id: string
  source_id: string
  person: string
  path: string
  format: string
  title: string
  size: number
  /** Another one when the file has been written or replaced; only then is it read again. */
  stamp: string
  /** Of its bytes; empty when it could never be read. */
  hash: string
  pieces: number
  /** Why it could not be read as it is now. */
  problem: string | null
  read_at: EpochMs
}

export interface DocumentPieceRow {
  id: string
  document_id: string
  person: string
  /** From 0 in its document. */
  position: number
  headings: JsonText
  /** Lines, or pages of a PDF, from 1. */
  first_at: number
  last_at: number
  tokens: number
  text: string
  /** Higher for each that comes: how an index knows what it has not seen. */
  revision: number
}
