import { type EmbedAllOptions, embedAll } from '../embedding/embed-all.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { throwIfAborted } from '../errors.ts'
import type { IndexDocument, SearchIndex } from '../search-index/search-index.ts'
import type { Storage } from '../storage/storage.ts'
import type { EntryRow } from '../storage/tables.ts'
import { sha256 } from '../text/ids.ts'
import { embeddingText, searchText } from './entry.ts'
import { knowledgeOf } from './rows.ts'

export const COLLECTION = 'project_knowledge'
/** What a query may filter by; Qdrant keeps payload indexes on them. */
const FILTERABLE = ['entry_type', 'agent_type', 'task_type', 'technology'] as const
const PAGE = 500

export interface LevelOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
  /** How long to sit out an embedder that asks to be left alone for a while. */
  patience?: EmbedAllOptions['patience']
}

/** The text of an entry that is searched, as a document without its vector. */
export type DocumentRow = Pick<
  EntryRow,
  'id' | 'entry_type' | 'project' | 'agent_type' | 'task_type' | 'technology' | 'content'
>

/** The search index of the entries: disposable, made again from the database whenever it does not fit it. */
export class KnowledgeCollection {
  readonly #index: SearchIndex
  readonly #storage: Storage

  constructor(index: SearchIndex, storage: Storage) {
    this.#index = index
    this.#storage = storage
  }

  /** Whether vectors of this embedder can be searched in it. */
  async fits(embedder: Embedder): Promise<boolean> {
    return (await this.#ensure(embedder)) !== 'other_embedder'
  }

  /** Makes sure that every entry can be found by this embedder's vectors, and that nothing else can. */
  async bringLevel(embedder: Embedder, options: LevelOptions = {}): Promise<{ embedded: number }> {
    await this.#fit(embedder)
    const embedded = await this.#refreshOutdated(embedder, options)
    if (await this.#isLevel(await this.#countEntries())) return { embedded }
    const rest = await this.fill(embedder, options)
    return { embedded: embedded + rest.embedded }
  }

  /** The same without believing what the index says of itself, and without a word in the database: for another index. */
  async fill(embedder: Embedder, options: LevelOptions = {}): Promise<{ embedded: number }> {
    await this.#fit(embedder)
    const total = await this.#countEntries()
    let embedded = 0
    let done = 0
    for await (const rows of this.#pages()) {
      throwIfAborted(options.signal)
      embedded += await this.#addMissing(rows, embedder, options)
      done += rows.length
      options.onProgress?.({ done, total })
    }
    await this.#removeOrphans()
    await this.#index.writeState(COLLECTION, { level: true })
    return { embedded }
  }

  async add(
    rows: readonly DocumentRow[],
    vectors: readonly Float32Array[],
    signal?: AbortSignal,
  ): Promise<void> {
    if (rows.length === 0) return
    await this.#index.upsert(
      COLLECTION,
      rows.map((row, at) => documentOf(row, vectors[at]!)),
      signal,
    )
  }

  /** A document whose entry is gone is never shown, so this may be late, but it is tidy. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#index.remove(COLLECTION, ids)
  }

  async #fit(embedder: Embedder): Promise<void> {
    if ((await this.#ensure(embedder)) !== 'other_embedder') return
    await this.#index.dropCollection(COLLECTION)
    await this.#ensure(embedder)
  }

  #ensure(embedder: Embedder) {
    const { id: embedderId, dimensions } = embedder
    return this.#index.ensureCollection({ name: COLLECTION, embedderId, dimensions, filterable: FILTERABLE })
  }

  /** An interrupted checkpoint may leave a document too many, never one too few. */
  async #isLevel(entries: number): Promise<boolean> {
    const state = await this.#index.readState(COLLECTION)
    const level = typeof state === 'object' && state !== null && 'level' in state && state['level'] === true
    return level && (await this.#index.count(COLLECTION)) >= entries
  }

  /** Entries that were changed after they had been embedded. */
  async #refreshOutdated(embedder: Embedder, options: LevelOptions): Promise<number> {
    const { db } = this.#storage
    for (let embedded = 0; ; ) {
      throwIfAborted(options.signal)
      const outdated = db.selectFrom('knowledge_entries').selectAll().where('outdated', '=', 1)
      const rows = await outdated.orderBy('id').limit(embedder.maxBatch).execute()
      if (rows.length === 0) return embedded
      await this.add(rows, await embedRows(embedder, rows, options), options.signal)
      for (const { id, twin_key } of rows) {
        // Changed once more meanwhile: embedded once more in the next round.
        const same = db.updateTable('knowledge_entries').where('id', '=', id).where('twin_key', '=', twin_key)
        await same.set({ outdated: 0 }).execute()
      }
      embedded += rows.length
    }
  }

  async #addMissing(rows: readonly EntryRow[], embedder: Embedder, options: LevelOptions): Promise<number> {
    const known = await this.#index.known(
      COLLECTION,
      rows.map((row) => row.id),
    )
    const missing = rows.filter((row) => {
      const stored = known.get(row.id)
      return !stored?.hasVector || stored.textHash !== sha256(embeddedText(row))
    })
    await this.add(missing, await embedRows(embedder, missing, options), options.signal)
    return missing.length
  }

  async #removeOrphans(): Promise<void> {
    for (let after: string | undefined; ; ) {
      const page = await this.#index.scan(COLLECTION, { limit: PAGE, ...(after !== undefined && { after }) })
      if (page.length === 0) return
      const ids = page.map((document) => document.id)
      const rows = await this.#storage.db
        .selectFrom('knowledge_entries')
        .select('id')
        .where('id', 'in', ids)
        .execute()
      const kept = new Set(rows.map((row) => row.id))
      await this.remove(ids.filter((id) => !kept.has(id)))
      after = ids.at(-1)
    }
  }

  async #countEntries(): Promise<number> {
    const { db } = this.#storage
    const row = await db
      .selectFrom('knowledge_entries')
      .select(db.fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow()
    return row.entries
  }

  async *#pages(): AsyncGenerator<EntryRow[]> {
    for (let after = ''; ; ) {
      const rows = await this.#storage.db
        .selectFrom('knowledge_entries')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute()
      if (rows.length === 0) return
      yield rows
      after = rows.at(-1)!.id
    }
  }
}

/** The vectors of what the rows say, in their order. */
export function embedRows(
  embedder: Embedder,
  rows: readonly DocumentRow[],
  { signal, patience }: LevelOptions,
): Promise<Float32Array[]> {
  return embedAll(embedder, rows.map(embeddedText), {
    ...(signal && { signal }),
    ...(patience && { patience }),
  })
}

function embeddedText(row: DocumentRow): string {
  return embeddingText(knowledgeOf(row))
}

function documentOf(row: DocumentRow, vector: Float32Array): IndexDocument {
  const knowledge = knowledgeOf(row)
  const { entry_type, agent_type, task_type, technology } = row
  return {
    id: row.id,
    text: searchText(knowledge),
    textHash: sha256(embeddingText(knowledge)),
    vector,
    payload: { entry_type, agent_type, task_type, technology },
  }
}
