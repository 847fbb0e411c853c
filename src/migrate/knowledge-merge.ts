import { FREE } from '../storage/leases.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import type { EntryRow, InjectionRow, SightingRow } from '../storage/tables.ts'
import { addMissing, pageAfter, type Side } from './table-copy.ts'

/** What became of a page. */
interface Merged {
  rows: number
  written: number
  last: string
}

/**
 * Brings entries with all that belongs to them into the database of a team, a page at a time and all or nothing: what says the
 * same there already gets the sightings that it has not, each counted once, however often this is done.
 */
export async function mergeEntries(
  source: Side,
  target: Side,
  after: string | undefined,
): Promise<Merged | undefined> {
  const entries = await pageAfter(source, 'knowledge_entries', after === undefined ? undefined : [after])
  if (entries.length === 0) return undefined
  const ids = entries.map(({ id }) => id)
  const { db } = source.storage
  const sightings = await db
    .selectFrom('knowledge_sightings')
    .selectAll()
    .where('entry_id', 'in', ids)
    .execute()
  const injections = await db
    .selectFrom('knowledge_injections')
    .selectAll()
    .where('entry_id', 'in', ids)
    .execute()
  const written = await target.storage.transaction((there) =>
    new EntryMerge(there, entries, sightings).run(injections),
  )
  return { rows: entries.length + sightings.length + injections.length, written, last: ids.at(-1)! }
}

/** What waits for a checkpoint waits there, unless it has had one. */
export async function mergeStaged(
  source: Side,
  target: Side,
  after: string | undefined,
): Promise<Merged | undefined> {
  const rows = await pageAfter(source, 'knowledge_staging', after === undefined ? undefined : [after])
  if (rows.length === 0) return undefined
  const written = await target.storage.transaction(async (db) => {
    const ids = rows.map(({ id }) => id)
    const done = await db.selectFrom('knowledge_sightings').select('id').where('id', 'in', ids).execute()
    const isDone = new Set(done.map(({ id }) => id))
    const waiting = rows.filter(({ id }) => !isDone.has(id)).map((row) => ({ ...row, ...FREE }))
    return addMissing(db, 'knowledge_staging', waiting)
  })
  return { rows: rows.length, written, last: rows.at(-1)!.id }
}

class EntryMerge {
  readonly #db: StorageTransaction
  readonly #entries: readonly EntryRow[]
  readonly #sightings: readonly SightingRow[]
  written = 0

  constructor(db: StorageTransaction, entries: readonly EntryRow[], sightings: readonly SightingRow[]) {
    this.#db = db
    this.#entries = entries
    this.#sightings = sightings
  }

  async run(injections: readonly InjectionRow[]): Promise<number> {
    const known = await this.#known()
    const twins = await this.#twins(this.#entries.filter(({ id }) => !known.has(id)))
    const targetOf = (id: string) => known.get(id) ?? twins.get(id) ?? id
    const isFresh = ({ id }: EntryRow) => !known.has(id) && !twins.has(id)
    this.written += await addMissing(
      this.#db,
      'knowledge_entries',
      this.#entries.filter(isFresh).map((entry) => ({ ...entry })),
    )
    const unseen = await this.#unseen()
    await this.#raiseTwins(twins)
    await this.#raiseSeen(
      this.#entries.filter((entry) => !isFresh(entry)),
      unseen,
      targetOf,
    )
    const moved = (rows: readonly (SightingRow | InjectionRow)[]) =>
      rows.map((row) => ({ ...row, entry_id: targetOf(row.entry_id) }))
    const marks = this.#entries.filter(({ id }) => twins.has(id)).map((entry) => ownSighting(entry))
    this.written += await addMissing(this.#db, 'knowledge_sightings', moved(unseen))
    this.written += await addMissing(this.#db, 'knowledge_sightings', moved(marks))
    this.written += await addMissing(this.#db, 'knowledge_injections', moved(injections))
    return this.written
  }

  /** Those that are there themselves, or were taken for another one before. */
  async #known(): Promise<Map<string, string>> {
    const ids = this.#entries.map(({ id }) => id)
    const entries = await this.#db
      .selectFrom('knowledge_entries')
      .select('id')
      .where('id', 'in', ids)
      .execute()
    const sightings = await this.#db
      .selectFrom('knowledge_sightings')
      .select(['id', 'entry_id'])
      .where('id', 'in', ids)
      .execute()
    return new Map([
      ...sightings.map(({ id, entry_id }) => [id, entry_id] as const),
      ...entries.map(({ id }) => [id, id] as const),
    ])
  }

  async #twins(entries: readonly EntryRow[]): Promise<Map<string, string>> {
    if (entries.length === 0) return new Map()
    const keys = entries.map(({ twin_key }) => twin_key)
    const rows = await this.#db
      .selectFrom('knowledge_entries')
      .select(['id', 'twin_key'])
      .where('twin_key', 'in', keys)
      .execute()
    const byKey = new Map(rows.map(({ id, twin_key }) => [twin_key, id]))
    return new Map(
      entries.flatMap(({ id, twin_key }) => (byKey.has(twin_key) ? [[id, byKey.get(twin_key)!]] : [])),
    )
  }

  async #unseen(): Promise<SightingRow[]> {
    if (this.#sightings.length === 0) return []
    const ids = this.#sightings.map(({ id }) => id)
    const there = await this.#db
      .selectFrom('knowledge_sightings')
      .select('id')
      .where('id', 'in', ids)
      .execute()
    const seen = new Set(there.map(({ id }) => id))
    return this.#sightings.filter(({ id }) => !seen.has(id))
  }

  /** What they bring beyond their sightings, once: an import that had been seen elsewhere, and what became of it. */
  async #raiseTwins(twins: ReadonlyMap<string, string>): Promise<void> {
    for (const entry of this.#entries) {
      const twin = twins.get(entry.id)
      if (twin === undefined) continue
      const sightings = this.#sightings.filter(({ entry_id }) => entry_id === entry.id).length
      await this.#raise(twin, Math.max(0, entry.success_count - sightings), entry)
    }
  }

  /** The same task of the same project, seen by the same person, is one success however often it is told. */
  async #raiseSeen(
    entries: readonly EntryRow[],
    unseen: readonly SightingRow[],
    targetOf: (id: string) => string,
  ): Promise<void> {
    const merged = new Set(entries.map(({ id }) => id))
    const fresh = unseen.filter(({ entry_id }) => merged.has(entry_id))
    if (fresh.length === 0) return
    const targets = [...new Set(fresh.map(({ entry_id }) => targetOf(entry_id)))]
    const there = await this.#db
      .selectFrom('knowledge_sightings')
      .selectAll()
      .where('entry_id', 'in', targets)
      .execute()
    for (const id of targets.sort()) {
      const known = new Set(there.filter(({ entry_id }) => entry_id === id).map(sourceKey))
      const before = known.size
      for (const one of fresh) if (targetOf(one.entry_id) === id) known.add(sourceKey(one))
      await this.#raise(id, known.size - before)
    }
  }

  async #raise(id: string, successes: number, { helped, misled }: Partial<EntryRow> = {}): Promise<void> {
    if (!successes && !helped && !misled) return
    this.written++
    await this.#db
      .updateTable('knowledge_entries')
      .set((entry) => ({
        success_count: entry('success_count', '+', successes),
        helped: entry('helped', '+', helped ?? 0),
        misled: entry('misled', '+', misled ?? 0),
      }))
      .where('id', '=', id)
      .execute()
  }
}

function sourceKey({
  project_id,
  task,
  person,
}: Pick<SightingRow, 'project_id' | 'task' | 'person'>): string {
  return JSON.stringify([project_id, task, person])
}

/** That it was taken for another one is known by its own sighting, which entries of earlier versions have not. */
function ownSighting({ id, project, project_id, captured_at }: EntryRow): SightingRow {
  return { id, entry_id: id, project, project_id, task: '', person: '', seen_at: captured_at }
}
