import type { Person } from '../identity/person.ts'
import type { Source } from '../retrieval/catch-up.ts'
import { newestRevision } from '../storage/revisions.ts'
import type { Queries, Storage } from '../storage/storage.ts'
import { conversationDraft, exchangeDraft, type ItemDraft, type ItemKind } from './documents.ts'
import { exchangeRows, type SummarisedRow } from './exchange-rows.ts'
import { History } from './history.ts'
import { type Withdrawal, withdrawnAfter } from './sharing.ts'
import { mayRead } from './whose.ts'

/** Names, in the state of the index, how far exchanges are findable by words. */
export const WORDS = 'words'
/** Rows read at a time. */
const PAGE = 500

/** What the history says to a person, as documents, in the order in which it changed. */
export class Drafts {
  readonly #storage: Storage
  readonly #person: Person
  readonly #history: History

  constructor(storage: Storage, person: Person) {
    this.#storage = storage
    this.#person = person
    this.#history = new History(storage, person)
  }

  /** Single items as they should stand in the index; those that are gone are left out. */
  async of(kind: ItemKind, ids: readonly string[]): Promise<ItemDraft[]> {
    if (ids.length === 0) return []
    if (kind === 'exchange')
      return this.#exchanges(await this.#exchangeRows().where('exchanges.id', 'in', ids).execute())
    const rows = await this.#conversationRows().where('id', 'in', ids).execute()
    return rows.map(conversationDraft)
  }

  /** Which change of the items was the last one; those that are gone are left out. */
  async revisions(db: Queries, kind: ItemKind, ids: readonly string[]): Promise<Map<string, number>> {
    const table = kind === 'exchange' ? 'exchanges' : 'conversations'
    const rows = await db.selectFrom(table).select(['id', 'revision']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, revision }) => [id, Number(revision)]))
  }

  /** Items to embed that changed after a revision, oldest change first. */
  async after(
    kind: ItemKind,
    revision: number,
    limit: number,
  ): Promise<{ drafts: ItemDraft[]; last: number }> {
    if (kind === 'exchange') {
      const settled = this.#exchangeRows()
        .where('exchanges.revision', '>', revision)
        .where('exchanges.status', '!=', 'open')
      const rows = await settled.orderBy('exchanges.revision').limit(limit).execute()
      return { drafts: await this.#exchanges(rows), last: lastRevision(rows, revision) }
    }
    const summarised = this.#conversationRows().where('summary', 'is not', null)
    const rows = await summarised.where('revision', '>', revision).orderBy('revision').limit(limit).execute()
    return { drafts: rows.map(conversationDraft), last: lastRevision(rows, revision) }
  }

  /** How many items to embed changed after a revision. */
  async count(kind: ItemKind, revision: number): Promise<number> {
    const { db } = this.#storage
    const counted =
      kind === 'exchange'
        ? db
            .selectFrom('exchanges')
            .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
            .select((select) => select.fn.countAll().as('items'))
            .where(mayRead(this.#person))
            .where('exchanges.revision', '>', revision)
            .where('exchanges.status', '!=', 'open')
        : db
            .selectFrom('conversations')
            .select((select) => select.fn.countAll().as('items'))
            .where(mayRead(this.#person))
            .where('revision', '>', revision)
            .where('summary', 'is not', null)
    return Number((await counted.executeTakeFirstOrThrow()).items)
  }

  /** Those of the items that there are, and that the person may still read. */
  async existing(kind: ItemKind, ids: readonly string[]): Promise<Set<string>> {
    const found =
      kind === 'exchange'
        ? await this.#history.readable(ids)
        : (await this.#history.conversations(ids)).keys()
    return new Set(found)
  }

  /** What should not be in any index any more, of what was withdrawn after a revision; undefined when nothing was. */
  async withdrawnAfter(revision: number): Promise<{ gone: Withdrawal[]; upTo: number } | undefined> {
    const withdrawn = await withdrawnAfter(this.#storage.db, revision)
    const last = withdrawn.at(-1)
    if (!last) return undefined
    // One's own stays, and so does what is shared again.
    const readable = await this.#history.conversations(withdrawn.map(({ conversationId }) => conversationId))
    return {
      gone: withdrawn.filter(({ conversationId }) => !readable.has(conversationId)),
      upTo: last.revision,
    }
  }

  /** Of the exchanges that have no summary. */
  async oldestUnsummarised(): Promise<number> {
    const row = await this.#storage.db
      .selectFrom('exchanges')
      .select((select) => select.fn.min('revision').as('revision'))
      .where('summarised', '=', 0)
      .executeTakeFirst()
    return row?.revision === null || row === undefined ? Number.POSITIVE_INFINITY : Number(row.revision)
  }

  newestRevision(): Promise<number> {
    return newestRevision(this.#storage.db)
  }

  /** Exchanges as they changed, also open ones, for whoever makes them findable by words; some `limit` at a time. */
  words(limit = Number.POSITIVE_INFINITY): Source {
    return {
      name: WORDS,
      owns: () => true,
      read: async (since, use) => {
        const newest = await this.newestRevision()
        let seen = typeof since === 'number' ? since : 0
        if (seen >= newest) return
        let isDone = false
        const nextPage = () => this.#changedAfter(seen)
        const drafts = async function* () {
          for (let visited = 0; visited < limit; ) {
            const page = await nextPage()
            isDone = page.drafts.length === 0
            if (isDone) return
            yield* page.drafts.filter(({ isFindable }) => isFindable)
            seen = page.last
            visited += page.drafts.length
          }
        }
        // What was forgotten is never shown: nothing has to be taken away while somebody waits, so this is never whole.
        await use({ whole: false, drafts: drafts(), cursor: async () => (isDone ? newest : seen) })
      },
    }
  }

  /** The newest exchanges as they should stand in the index, for whoever cannot ask it. */
  async *newest(limit: number): AsyncGenerator<ItemDraft> {
    let before = Number.MAX_SAFE_INTEGER
    for (let read = 0; read < limit; read += PAGE) {
      const earlier = this.#exchangeRows().where('exchanges.revision', '<', before)
      const rows = await earlier.orderBy('exchanges.revision', 'desc').limit(PAGE).execute()
      if (rows.length === 0) return
      yield* (await this.#exchanges(rows)).filter(({ isFindable }) => isFindable)
      before = lastRevision(rows, 0)
    }
  }

  async #changedAfter(revision: number): Promise<{ drafts: ItemDraft[]; last: number }> {
    const changed = this.#exchangeRows().where('exchanges.revision', '>', revision)
    const rows = await changed.orderBy('exchanges.revision').limit(PAGE).execute()
    return { drafts: await this.#exchanges(rows), last: lastRevision(rows, revision) }
  }

  #exchangeRows() {
    return exchangeRows(this.#storage.db, this.#person)
  }

  #conversationRows() {
    return this.#storage.db.selectFrom('conversations').selectAll().where(mayRead(this.#person))
  }

  async #exchanges(rows: readonly SummarisedRow[]): Promise<ItemDraft[]> {
    const steps = await this.#history.steps(rows.map(({ id }) => id))
    return rows.map((row) => exchangeDraft(row, steps.get(row.id) ?? []))
  }
}

function lastRevision(rows: readonly { revision: number }[], fallback: number): number {
  return rows.length ? Number(rows.at(-1)!.revision) : fallback
}
