import { newestRevision } from '../storage/revisions.ts'
import type { Storage } from '../storage/storage.ts'
import { UUID_BEGINNING } from '../text/short-id.ts'
import type { DocumentFormat, KeptDocument, Piece, PiecePlace } from './record.ts'

/** Rows read at a time. */
const PAGE = 500
const MOST_LIKE = 20

export interface PieceRow {
  id: string
  document_id: string
  position: number
  headings: string
  first_at: number
  last_at: number
  text: string
  revision: number
  path: string
  title: string
  format: string
}

/** The pieces of one person's documents, as they are stored. */
export class Pieces {
  readonly #storage: Storage
  readonly #person: string

  /** @internal */
  constructor(storage: Storage, person: string) {
    this.#storage = storage
    this.#person = person
  }

  /** Those of them that there are; what somebody else keeps is not there. */
  async byId(ids: readonly string[]): Promise<Map<string, Piece>> {
    const found = new Map<string, Piece>()
    for (let at = 0; at < ids.length; at += PAGE) {
      const rows = await this.#rows()
        .where('document_pieces.id', 'in', ids.slice(at, at + PAGE))
        .execute()
      for (const row of rows) found.set(row.id, toPiece(row))
    }
    return found
  }

  /** What an id, or the beginning of one, may name. */
  async like(beginning: string): Promise<Piece[]> {
    if (!UUID_BEGINNING.test(beginning)) return []
    const like = this.#rows().where('document_pieces.id', 'like', `${beginning.toLowerCase()}%`)
    return (await like.orderBy('document_pieces.id').limit(MOST_LIKE).execute()).map(toPiece)
  }

  /** Some of a document, in order. */
  async ofDocument(documentId: string, { from = 0, limit = PAGE } = {}): Promise<Piece[]> {
    const own = this.#rows().where('document_id', '=', documentId).where('position', '>=', from)
    return (await own.orderBy('position').limit(limit).execute()).map(toPiece)
  }

  /** Of all that is stored, whoever's it is. */
  newestRevision(): Promise<number> {
    return newestRevision(this.#storage.db)
  }

  /** Those that came after a revision, oldest first. */
  async after(revision: number, limit = PAGE): Promise<PieceRow[]> {
    const later = this.#rows().where('document_pieces.revision', '>', revision)
    return later.orderBy('document_pieces.revision').limit(limit).execute()
  }

  /** Whether there is anything to be found at all. */
  async any(): Promise<boolean> {
    return (await this.#rows().limit(1).execute()).length > 0
  }

  async count(after = 0): Promise<number> {
    const { pieces } = await this.#storage.db
      .selectFrom('document_pieces')
      .select(({ fn }) => fn.countAll().as('pieces'))
      .where('person', '=', this.#person)
      .where('revision', '>', after)
      .executeTakeFirstOrThrow()
    return Number(pieces)
  }

  async document(id: string): Promise<KeptDocument | undefined> {
    const row = await this.#storage.db
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', id)
      .where('person', '=', this.#person)
      .executeTakeFirst()
    return row && toDocument(row)
  }

  #rows() {
    return this.#storage.db
      .selectFrom('document_pieces')
      .innerJoin('documents', 'documents.id', 'document_pieces.document_id')
      .select([
        'document_pieces.id',
        'document_id',
        'position',
        'headings',
        'first_at',
        'last_at',
        'text',
        'document_pieces.revision',
        'path',
        'title',
        'format',
      ])
      .where('document_pieces.person', '=', this.#person)
  }
}

export function toPiece(row: PieceRow): Piece {
  const format = row.format as DocumentFormat
  return {
    id: row.id,
    documentId: row.document_id,
    path: row.path,
    title: row.title,
    format,
    headings: JSON.parse(row.headings) as string[],
    place: placeOf(format, Number(row.first_at), Number(row.last_at)),
    text: row.text,
    position: Number(row.position),
  }
}

function placeOf(format: DocumentFormat, first: number, last: number): PiecePlace {
  return format === 'pdf' ? { pages: [first, last] } : { lines: [first, last] }
}

export function toDocument(row: {
  id: string
  path: string
  format: string
  title: string
  size: number
  pieces: number
  read_at: number
  problem: string | null
}): KeptDocument {
  const { id, path, title, problem } = row
  return {
    ...{ id, path, title, format: row.format as DocumentFormat },
    size: Number(row.size),
    pieces: Number(row.pieces),
    readAt: new Date(Number(row.read_at)),
    ...(problem !== null && { problem }),
  }
}
