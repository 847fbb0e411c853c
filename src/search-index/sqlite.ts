import { RalphError } from '../errors.ts'
import { candidatesFor } from './candidates.ts'
import { checkEmbedder } from './check-embedder.ts'
import { checkFilter } from './filter.ts'
import type {
  CollectionChange,
  CollectionInfo,
  CollectionSpec,
  Evidence,
  Json,
  SearchIndex,
  SearchRequest,
  Selection,
  StoredDocument,
} from './search-index.ts'
import { checkRow, checksumOf } from './sqlite/checksum.ts'
import { type PackedCollection, packLoose, removeChunk } from './sqlite/chunks.ts'
import { IndexDatabase } from './sqlite/database.ts'
import { DOCUMENT, type DocumentRow, payloadOf } from './sqlite/document-row.ts'
import { addDocument, prepareDocuments, removeDocuments } from './sqlite/documents.ts'
import { searchCollection } from './sqlite/search.ts'
import { storedVector, unitVector } from './vectors.ts'

export interface SqliteIndexOptions {
  /** The file; made on first use, with its folder. */
  path: string
  /** Readable by nobody else, its folder too. */
  ownerOnly?: boolean
}

/** The embedded index: one SQLite file, no server, many processes. Nothing is opened before it is needed. */
export function openSqliteIndex({ path, ownerOnly }: SqliteIndexOptions): SearchIndex {
  return new SqliteIndex(new IndexDatabase(path, ownerOnly))
}

class SqliteIndex implements SearchIndex {
  readonly #db: IndexDatabase

  constructor(db: IndexDatabase) {
    this.#db = db
  }

  drop(name: string): Promise<void> {
    return this.#db.write(() => {
      const collection = this.#find(name)
      if (!collection) return
      const { number } = collection
      for (const chunk of this.#db.sql('SELECT number FROM chunks WHERE collection = ?').all(number)) {
        removeChunk(this.#db, chunk['number'] as number)
      }
      for (const sql of [
        'vectors WHERE document IN (SELECT number FROM documents WHERE collection = ?)',
        'documents WHERE collection = ?',
        'loose WHERE collection = ?',
        'collections WHERE number = ?',
      ]) {
        this.#db.sql(`DELETE FROM ${sql}`).run(number)
      }
    })
  }

  collections(names?: readonly string[]): Promise<CollectionInfo[]> {
    return this.#db.read(() => {
      const all = () => this.#db.sql('SELECT name FROM collections').all()
      const asked = names ?? all().map((row) => row['name'] as string)
      return [...asked].sort().flatMap((name) => {
        const collection = this.#find(name)
        return collection ? [this.#describe(name, collection)] : []
      })
    })
  }

  write(spec: CollectionSpec, change: CollectionChange, signal?: AbortSignal): Promise<void> {
    const prepared = prepareDocuments(change.put ?? [])
    return this.#db.write(() => {
      const collection = this.#makeFit(spec)
      if (prepared.values().some(({ vector }) => vector)) checkEmbedder(spec, collection)
      removeDocuments(this.#db, collection, new Set([...prepared.keys(), ...(change.remove ?? [])]))
      for (const document of prepared.values()) addDocument(this.#db, collection, document)
      if (prepared.size > 0) packLoose(this.#db, collection)
      if (change.state !== undefined) {
        const keep = this.#db.sql('UPDATE collections SET state = ?, checksum = ? WHERE number = ?')
        const state = JSON.stringify(change.state)
        keep.run(state, collectionChecksum(spec.name, collection, state), collection.number)
      }
    }, signal)
  }

  read(name: string, selection: Selection): Promise<StoredDocument[]> {
    return this.#db.read(() => {
      const collection = this.#find(name)
      if (!collection) return []
      const columns = `${DOCUMENT}, (SELECT vector FROM vectors WHERE document = number) AS vector`
      const from = `SELECT ${columns} FROM documents WHERE collection = ? AND`
      const byId = this.#db.sql(`${from} id = ?`)
      const page = this.#db.sql(`${from} id > ? ORDER BY id LIMIT ?`)
      const rows =
        'ids' in selection
          ? selection.ids.map((id) => byId.get(collection.number, id)).filter((row) => row !== undefined)
          : page.all(collection.number, selection.after ?? '', selection.limit)
      return rows.map((row) => documentOf(row, collection, selection.vectors === true))
    })
  }

  search(name: string, request: SearchRequest, signal?: AbortSignal): Promise<Evidence[]> {
    return this.#db.read(() => {
      const collection = this.#find(name)
      if (!collection) return []
      checkFilter(request.filter ?? {}, collection.filterable)
      const candidates = candidatesFor(request.limit)
      const vector = request.vector && unitVector(request.vector, collection.dimensions)
      return searchCollection(this.#db, collection, { ...request, ...(vector && { vector }), candidates })
    }, signal)
  }

  async check(signal?: AbortSignal): Promise<{ ok: boolean; detail: string; hint?: string }> {
    try {
      const collections = await this.#db.read(
        () => this.#db.sql('SELECT count(*) AS collections FROM collections').get()!['collections'],
        signal,
      )
      return { ok: true, detail: `sqlite at ${this.#db.path}, ${collections} collections` }
    } catch (error) {
      if (!(error instanceof RalphError) || error.code === 'cancelled') throw error
      return { ok: false, detail: error.message, ...(error.hint && { hint: error.hint }) }
    }
  }

  reset(): Promise<void> {
    return this.#db.reset()
  }

  async close(): Promise<void> {
    this.#db.close()
  }

  #describe(
    name: string,
    { number, embedderId, dimensions, filterable, state }: StoredCollection,
  ): CollectionInfo {
    // What a chunk still holds is noted with it, so this does not count one by one.
    const { documents } = this.#db
      .sql(
        `SELECT (SELECT coalesce(sum(live), 0) FROM chunks WHERE collection = :number) +
           (SELECT count(*) FROM loose WHERE collection = :number) AS documents`,
      )
      .get({ number }) as { documents: number }
    return { name, embedderId, dimensions, filterable, documents, ...(state !== undefined && { state }) }
  }

  #makeFit({ name, embedderId, dimensions, filterable }: CollectionSpec): PackedCollection {
    const existing = this.#find(name)
    const fields = JSON.stringify(filterable)
    if (existing && fields === JSON.stringify(existing.filterable)) return existing
    const state = existing?.state === undefined ? null : JSON.stringify(existing.state)
    const made = { embedderId, dimensions, ...existing, filterable }
    this.#db
      .sql(
        `INSERT INTO collections (name, embedder_id, dimensions, filterable, checksum) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET filterable = excluded.filterable, checksum = excluded.checksum`,
      )
      .run(name, made.embedderId, made.dimensions, fields, collectionChecksum(name, made, state))
    return this.#find(name)!
  }

  #find(name: string): StoredCollection | undefined {
    const row = this.#db
      .sql(
        'SELECT number, embedder_id, dimensions, filterable, state, checksum FROM collections WHERE name = ?',
      )
      .get(name)
    if (!row) return undefined
    const { state, filterable } = row as { state: string | null; filterable: string }
    const [embedderId, dimensions] = [row['embedder_id'] as string, row['dimensions'] as number]
    checkRow(row['checksum'], name, embedderId, dimensions, filterable, state)
    return {
      number: row['number'] as number,
      embedderId,
      dimensions,
      filterable: JSON.parse(filterable) as string[],
      state: state === null ? undefined : (JSON.parse(state) as Json),
    }
  }
}

type StoredCollection = PackedCollection & { state: Json | undefined }

function collectionChecksum(
  name: string,
  { embedderId, dimensions, filterable }: Pick<CollectionSpec, 'embedderId' | 'dimensions' | 'filterable'>,
  state: string | null,
): number {
  return checksumOf(name, embedderId, dimensions, JSON.stringify(filterable), state)
}

function documentOf(
  row: Record<string, unknown>,
  { dimensions }: PackedCollection,
  withVector: boolean,
): StoredDocument {
  // A damaged vector is none: whoever asks will make it again.
  const vector = storedVector((row['vector'] as Uint8Array | null) ?? undefined, dimensions)
  return {
    id: row['id'] as string,
    payload: payloadOf(row as unknown as DocumentRow),
    textHash: row['text_hash'] as string,
    hasVector: vector !== undefined,
    ...(withVector && vector && { vector }),
  }
}
