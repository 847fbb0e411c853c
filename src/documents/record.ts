import type { Relevance } from '../retrieval/relevance.ts'

/** How a file is read and cut. */
export type DocumentFormat = 'markdown' | 'text' | 'source' | 'pdf'

/** Where in its file a piece stands, both ends included, from 1: lines, or pages of a PDF. */
export type PiecePlace = { lines: [first: number, last: number] } | { pages: [first: number, last: number] }

/** What the person has added: a file, or a folder with all in it. */
export interface DocumentSource {
  id: string
  path: string
  kind: 'file' | 'folder'
  /** How many files of it are kept, and in how many pieces. */
  documents: number
  pieces: number
  /** Files that could not be read, or only as they were earlier. */
  problems: number
  /** The machine on which it lies, where that is another one. */
  machine?: string
  addedAt: Date
  syncedAt?: Date
}

/** How much of it there is, and what is to be done about it. */
export interface DocumentsOverview {
  sources: number
  documents: number
  pieces: number
  /** Pieces that are found by their words only, so far. */
  waiting: number
  /** Files that could not be read, or only as they were earlier. */
  problems: number
  /** Paths that were added here and are not there now. */
  missing: string[]
}

/** One file as memory knows it. */
export interface KeptDocument {
  id: string
  path: string
  format: DocumentFormat
  title: string
  size: number
  pieces: number
  /** When it was last read. */
  readAt: Date
  /** Why it could not be read the last time; what was read before is kept. */
  problem?: string
}

/** Some 256 to 512 tokens of a document. */
export interface Piece {
  id: string
  documentId: string
  path: string
  title: string
  format: DocumentFormat
  /** The headings above it, from the outermost; of source code what is declared in it. */
  headings: readonly string[]
  place: PiecePlace
  text: string
  /** From 0 in its document. */
  position: number
}

export interface FoundPiece {
  piece: Piece
  /** 0 to 1; means the same as everywhere in memory. */
  score: number
  relevance: Relevance
  matched: readonly ('meaning' | 'words')[]
  /** Others that say nearly the same, such as copies of a file. */
  alike: number
}

/** `docs/setup.md:12-40`, or `manual.pdf, page 7`: as people and editors read it. */
export function placeText(path: string, place: PiecePlace): string {
  if ('lines' in place) {
    const [first, last] = place.lines
    return first === last ? `${path}:${first}` : `${path}:${first}-${last}`
  }
  const [first, last] = place.pages
  return first === last ? `${path}, page ${first}` : `${path}, pages ${first}-${last}`
}
