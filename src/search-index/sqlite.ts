import { RalphError } from '../errors.ts'
import { plural } from '../text/plural.ts'
import { candidatesFor } from './candidates.ts'
import { checkEmbedder } from './check-embedder.ts'
import { checkFilter } from './filter.ts'
import type { Evidence, SearchRequest } from './query.ts'
import type {
  CollectionChange,
  CollectionInfo,
  CollectionSelection,
  CollectionSpec,
  FoundCollection,
  SearchIndex,
  Selection,
  StoredDocument,
} from './search-index.ts'
import { requireSound } from './sqlite/checksum.ts'
import { type PackedCollection, packLoose, removeChunk } from './sqlite/chunks.ts'
import {
  findCollection,
  keepCollection,
  knownCollection,
  newCollection,
  type StoredCollection,
} from './sqlite/collection-rows.ts'
import { IndexDatabase } from './sqlite/database.ts'
import {
  checkVector,
  DOCUMENT,
  type DocumentRow,
  detailOf,
  payloadOf,
  type VectorRow,
} from './sqlite/document-row.ts'
import { addDocument, prepareDocuments, removeDocuments, requireAbsent } from './sqlite/documents.ts'
import { examineIndex } from './sqlite/examine-index.ts'
import { asFloats, unpackVector } from './sqlite/rounded-vector.ts'
import { searchCollection } from './sqlite/search.ts'
import { unitVector } from './vectors.ts'

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
      const collection = findCollection(this.#db, name)
      if (!collection) return
      const { number } = collection
      for (const chunk of this.#db.sql('SELECT number FROM chunks WHERE collection = ?').all(number)) {
        removeChunk(this.#db, chunk['number'] as number)
      }
      for (const sql of [
        'vectors WHERE document IN (SELECT number FROM documents WHERE collection = ?)',
        'details WHERE document IN (SELECT number FROM documents WHERE collection = ?)',
        'documents WHERE collection = ?',
        'loose WHERE collection = ?',
        'collections WHERE number = ?',
      ]) {
        this.#db.sql(`DELETE FROM ${sql}`).run(number)
      }
    })
  }

  async find(name: string, signal?: AbortSignal): Promise<FoundCollection | undefined> {
    const [found] = await this.collections([name], signal)
    return found
  }

  collections(
    selection: CollectionSelection = { prefix: '' },
    signal?: AbortSignal,
  ): Promise<CollectionInfo[]> {
    return this.#db.read(
      () => {
        const names =
          'prefix' in selection
            ? this.#names().filter((name) => name.startsWith(selection.prefix))
            : [...selection]
        return names.sort().flatMap((name) => {
          const collection = knownCollection(this.#db, name)
          return collection ? [infoOf(name, collection)] : []
        })
      },
      [],
      signal,
    )
  }

  write(spec: CollectionSpec, change: CollectionChange, signal?: AbortSignal): Promise<void> {
    const prepared = prepareDocuments(change.put ?? [], spec.typicalLength)
    return this.#db.write(() => {
      const collection = findCollection(this.#db, spec.name) ?? newCollection(this.#db, spec)
      collection.filterable = [...spec.filterable]
      if (prepared.values().some(({ vector }) => vector)) checkEmbedder(spec, collection)
      const { remove = [] } = change
      const ids = new Set([...prepared.keys(), ...remove])
      collection.documents -= removeDocuments(this.#db, collection, ids)
      requireAbsent(this.#db, collection, remove)
      for (const document of prepared.values()) addDocument(this.#db, collection, document)
      if (prepared.size > 0) packLoose(this.#db, collection)
      collection.documents += prepared.size
      if (change.state !== undefined) collection.state = change.state
      keepCollection(this.#db, spec.name, collection)
    }, signal)
  }

  read(name: string, selection: Selection, signal?: AbortSignal): Promise<StoredDocument[]> {
    return this.#db.read(
      () => {
        const collection = knownCollection(this.#db, name)
        if (!collection) return []
        const columns = `${DOCUMENT}, number, steps, vectors.checksum AS vector_checksum, detail_checksum`
        const from = `SELECT ${columns} FROM documents LEFT JOIN vectors ON document = number WHERE collection = ? AND`
        const byId = this.#db.sql(`${from} id = ?`)
        const page = this.#db.sql(`${from} id > ? ORDER BY id LIMIT ?`)
        const rows =
          'ids' in selection
            ? selection.ids.map((id) => byId.get(collection.number, id)).filter((row) => row !== undefined)
            : page.all(collection.number, selection.after ?? '', selection.limit)
        return rows.map((row) => documentOf(this.#db, row, collection, selection.vectors === true))
      },
      [],
      signal,
    )
  }

  search(name: string, request: SearchRequest, signal?: AbortSignal): Promise<Evidence[]> {
    const find = () => {
      const collection = knownCollection(this.#db, name)
      if (!collection) return []
      checkFilter(request.filter ?? {}, collection.filterable)
      const { embedderId = collection.embedderId } = request
      if (request.vector && embedderId !== collection.embedderId) return []
      const candidates = candidatesFor(request.limit)
      const vector = request.vector && unitVector(request.vector, collection.dimensions)
      return searchCollection(this.#db, collection, { ...request, ...(vector && { vector }), candidates })
    }
    return this.#db.read(find, [], signal)
  }

  async check({ thorough = false } = {}): Promise<{ ok: boolean; detail: string; hint?: string }> {
    try {
      const collections = await this.#db.read<number | undefined>(() => {
        const names = this.#names()
        if (thorough) examineIndex(this.#db, names)
        return names.length
      }, undefined)
      const held = collections === undefined ? 'nothing in it yet' : plural(collections, 'collection')
      return { ok: true, detail: `sqlite at ${this.#db.path}, ${held}` }
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

  #names(): string[] {
    return this.#db
      .sql('SELECT name FROM collections')
      .all()
      .map(({ name }) => {
        requireSound(typeof name === 'string')
        return name
      })
  }
}

function infoOf(name: string, collection: StoredCollection): CollectionInfo {
  const { embedderId, dimensions, filterable, documents, state } = collection
  return { name, embedderId, dimensions, filterable, documents, ...(state !== undefined && { state }) }
}

function documentOf(
  db: IndexDatabase,
  row: Record<string, unknown>,
  { dimensions }: PackedCollection,
  withVector: boolean,
): StoredDocument {
  const stored = vectorIn(row)
  const vector = unpackVector(stored?.steps, dimensions)
  const detail = withVector && vector && stored ? detailOf(db, stored) : undefined
  return {
    id: row['id'] as string,
    payload: payloadOf(row as unknown as DocumentRow),
    textHash: row['text_hash'] as string,
    hasVector: vector !== undefined,
    ...(withVector && vector && { vector: asFloats(vector) }),
    ...(detail && { detail }),
  }
}

function vectorIn(row: Record<string, unknown>): VectorRow | undefined {
  if (row['steps'] === null) return undefined
  const { number: document, steps, vector_checksum: checksum, detail_checksum } = row
  const stored = { document, steps, checksum, detail_checksum } as VectorRow
  checkVector(stored)
  return stored
}
