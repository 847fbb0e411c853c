import { nextRevisions } from '../storage/revisions.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import type { DocumentPieceRow, DocumentSourceRow, KeptFileRow } from '../storage/tables.ts'
import { deterministicUuid } from '../text/ids.ts'
import type { CutPiece } from './cut/pack.ts'
import type { ReadDocument } from './read-document.ts'

/** A file as it was read, or why it could not be. */
export interface ToStore {
  source: Pick<DocumentSourceRow, 'id' | 'person' | 'home'>
  path: string
  /** What is known of it. */
  known: KnownDocument | undefined
  read: ReadDocument | FailedDocument
}
export type FailedDocument = Pick<ReadDocument, 'format' | 'title' | 'size' | 'stamp'> & { problem: string }
export type KnownDocument = Pick<
  KeptFileRow,
  'id' | 'path' | 'size' | 'stamp' | 'hash' | 'pieces' | 'problem'
>

export interface Stored {
  /** Pieces that were not there before. */
  added: number
  /** Ids of those that are there no longer. */
  removed: string[]
}

/** Rows per statement: SQLite allows 32,766 parameters. */
const ROWS = 500

/** Writes documents and their pieces, all or nothing. What of a file is as it was keeps its id, and so its vector. */
export async function storeDocuments(storage: Storage, documents: readonly ToStore[]): Promise<Stored> {
  return storage.transaction(async (db) => {
    const most = documents.reduce((sum, { read }) => sum + ('pieces' in read ? read.pieces.length : 0), 0)
    const last = await nextRevisions(db, most)
    const batch = new Batch(db, last - most)
    for (const document of documents) await batch.write(document)
    return batch.finish()
  })
}

class Batch {
  readonly #db: StorageTransaction
  #revision: number
  readonly #added: DocumentPieceRow[] = []
  readonly #removed: string[] = []

  constructor(db: StorageTransaction, revision: number) {
    this.#db = db
    this.#revision = revision
  }

  async write({ source, path, known, read }: ToStore): Promise<void> {
    const { person, home } = source
    const id = known?.id ?? deterministicUuid('document', person, home, path)
    const { format, title, size, stamp } = read
    const row: KeptFileRow = {
      ...{ id, source_id: source.id, person, path, format, title, size, stamp, read_at: Date.now() },
      // What was read before stays.
      hash: 'problem' in read ? (known?.hash ?? '') : read.hash,
      pieces: 'problem' in read ? (known?.pieces ?? 0) : read.pieces.length,
      problem: 'problem' in read ? read.problem : null,
    }
    await this.#db
      .insertInto('documents')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
    if (!('problem' in read)) await this.#pieces({ document_id: id, person }, read.pieces)
  }

  async finish(): Promise<Stored> {
    for (let at = 0; at < this.#added.length; at += ROWS)
      await this.#db
        .insertInto('document_pieces')
        .values(this.#added.slice(at, at + ROWS))
        // Another process may be reading the same file.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    return { added: this.#added.length, removed: this.#removed }
  }

  async #pieces(
    of: Pick<DocumentPieceRow, 'document_id' | 'person'>,
    pieces: readonly CutPiece[],
  ): Promise<void> {
    const rows = await this.#db
      .selectFrom('document_pieces')
      .select(['id', 'position', 'first_at', 'last_at'])
      .where('document_id', '=', of.document_id)
      .execute()
    const known = new Map(rows.map((row) => [row.id, row]))
    const seen = new Map<string, number>()
    for (const [position, { headings, text, first, last, tokens }] of pieces.entries()) {
      const said = JSON.stringify([headings, text])
      const nth = seen.get(said) ?? 0
      seen.set(said, nth + 1)
      const id = deterministicUuid('piece', of.document_id, said, nth)
      const before = known.get(id)
      known.delete(id)
      const place = { position, first_at: first, last_at: last }
      if (!before) {
        const revision = ++this.#revision
        this.#added.push({ id, ...of, ...place, headings: JSON.stringify(headings), tokens, text, revision })
      } else if (before.position !== position || before.first_at !== first || before.last_at !== last) {
        await this.#db.updateTable('document_pieces').set(place).where('id', '=', id).execute()
      }
    }
    await this.#remove([...known.keys()])
  }

  async #remove(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += ROWS)
      await this.#db
        .deleteFrom('document_pieces')
        .where('id', 'in', ids.slice(at, at + ROWS))
        .execute()
    this.#removed.push(...ids)
  }
}

/** The documents and all of their pieces, whose ids it returns. */
export async function forgetDocuments(storage: Storage, ids: readonly string[]): Promise<string[]> {
  const removed: string[] = []
  for (let at = 0; at < ids.length; at += ROWS) {
    const some = ids.slice(at, at + ROWS)
    removed.push(
      ...(await storage.transaction(async (db) => {
        const of = db.selectFrom('document_pieces').select('id').where('document_id', 'in', some)
        const pieces = (await of.execute()).map(({ id }) => id)
        await db.deleteFrom('document_pieces').where('document_id', 'in', some).execute()
        await db.deleteFrom('documents').where('id', 'in', some).execute()
        return pieces
      })),
    )
  }
  return removed
}
