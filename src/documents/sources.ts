import { sep } from 'node:path'
import type { Storage } from '../storage/storage.ts'
import type { DocumentSourceRow } from '../storage/tables.ts'
import { deterministicUuid } from '../text/ids.ts'
import { toDocument } from './pieces.ts'
import type { DocumentSource, KeptDocument } from './record.ts'
import type { KnownDocument } from './store.ts'

/** Whose documents, and in which home folder of ours: that is, on which machine. Whoever only searches need not know. */
export interface Whose {
  person: string
  home: () => Promise<string>
}

export interface SourceLimits {
  mostFiles: number
  /** Of one file; absent for what suits its kind. */
  mostBytes?: number | undefined
}

/** What a person has added. */
export class Sources {
  readonly #storage: Storage
  readonly #whose: Whose

  constructor(storage: Storage, whose: Whose) {
    this.#storage = storage
    this.#whose = whose
  }

  /** Those that lie here; what the person has added on another machine only that one can read. */
  async here(): Promise<DocumentSourceRow[]> {
    return this.#all()
      .where('home', '=', await this.#whose.home())
      .orderBy('path')
      .execute()
  }

  async list(): Promise<DocumentSource[]> {
    const [machines, home] = [await this.#machines(), await this.#whose.home()]
    const rows = await this.#all().orderBy('path').execute()
    const counts = await this.#storage.db
      .selectFrom('documents')
      .select(({ fn }) => [
        'source_id',
        fn.countAll().as('documents'),
        fn.sum('pieces').as('pieces'),
        fn.count('problem').as('problems'),
      ])
      .where('person', '=', this.#whose.person)
      .groupBy('source_id')
      .execute()
    const byId = new Map(counts.map((count) => [count.source_id, count]))
    return rows.map((row) => {
      const count = byId.get(row.id)
      const machine = row.home === home ? undefined : (machines.get(row.home) ?? 'another one')
      return {
        id: row.id,
        path: row.path,
        kind: row.is_folder ? 'folder' : 'file',
        documents: Number(count?.documents ?? 0),
        pieces: Number(count?.pieces ?? 0),
        problems: Number(count?.problems ?? 0),
        ...(machine !== undefined && { machine }),
        addedAt: new Date(Number(row.added_at)),
        ...(row.synced_at !== null && { syncedAt: new Date(Number(row.synced_at)) }),
      }
    })
  }

  async put(path: string, isFolder: boolean, limits: SourceLimits): Promise<DocumentSourceRow> {
    const { person } = this.#whose
    const home = await this.#whose.home()
    const chosen = { most_files: limits.mostFiles, most_bytes: limits.mostBytes ?? null }
    const row: DocumentSourceRow = {
      ...{ id: deterministicUuid('documents', person, home, path), person, home, path, ...chosen },
      is_folder: isFolder ? 1 : 0,
      added_at: Date.now(),
      synced_at: null,
    }
    const known = (await this.here()).find((source) => source.path === path)
    const update = { ...chosen, is_folder: row.is_folder }
    if (known) {
      await this.#storage.db.updateTable('document_sources').set(update).where('id', '=', known.id).execute()
      return { ...known, ...update }
    }
    await this.#storage.db
      .insertInto('document_sources')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(update))
      .execute()
    return row
  }

  /** What one folder has brought becomes part of another one that holds it. */
  async merge(inner: DocumentSourceRow, into: DocumentSourceRow): Promise<void> {
    await this.#storage.transaction(async (db) => {
      await db
        .updateTable('documents')
        .set({ source_id: into.id })
        .where('source_id', '=', inner.id)
        .execute()
      await db.deleteFrom('document_sources').where('id', '=', inner.id).execute()
    })
  }

  async remove(id: string): Promise<void> {
    await this.#storage.db.deleteFrom('document_sources').where('id', '=', id).execute()
  }

  async synced(id: string): Promise<void> {
    const now = { synced_at: Date.now() }
    await this.#storage.db.updateTable('document_sources').set(now).where('id', '=', id).execute()
  }

  async documents(sourceId: string): Promise<KeptDocument[]> {
    const rows = this.#storage.db.selectFrom('documents').selectAll().where('source_id', '=', sourceId)
    return (await rows.orderBy('path').execute()).map(toDocument)
  }

  /** By path. */
  async known(sourceId: string): Promise<Map<string, KnownDocument>> {
    const rows = await this.#storage.db
      .selectFrom('documents')
      .select(['id', 'path', 'size', 'stamp', 'hash', 'pieces', 'problem'])
      .where('source_id', '=', sourceId)
      .execute()
    return new Map(rows.map((row) => [row.path, row]))
  }

  async touch(documentId: string, stamp: string): Promise<void> {
    await this.#storage.db.updateTable('documents').set({ stamp }).where('id', '=', documentId).execute()
  }

  async #machines(): Promise<Map<string, string>> {
    const homes = this.#storage.db.selectFrom('people_homes').select(['home_id', 'machine'])
    const own = await homes.where('person_id', '=', this.#whose.person).execute()
    return new Map(own.map(({ home_id, machine }) => [home_id, machine]))
  }

  #all() {
    return this.#storage.db
      .selectFrom('document_sources')
      .selectAll()
      .where('person', '=', this.#whose.person)
  }
}

/** Whether a path lies in a folder, at any depth. */
export function liesIn(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
