import type { Person } from '../identity/person.ts'
import { nextRevisions } from '../storage/revisions.ts'
import type { Queries, Storage, StorageTransaction } from '../storage/storage.ts'
import type { History } from './history.ts'
import type { Conversation } from './record.ts'
import { isOwn } from './whose.ts'

/** Read at a time where all are meant. */
const PAGE = 200

/** Throws for an agent; `deed` completes "an agent cannot …". */
export type RequirePerson = (deed: string) => Promise<void>

/** Lets everybody of a team read conversations, and takes them back. Only whoever they are from can. */
export class Sharing {
  readonly #storage: Storage
  readonly #person: Person
  readonly #history: History
  readonly #requirePerson: RequirePerson | undefined

  /** @internal */
  constructor(storage: Storage, person: Person, history: History, requirePerson?: RequirePerson) {
    this.#storage = storage
    this.#person = person
    this.#history = history
    this.#requirePerson = requirePerson
  }

  /** Returns those that were not shared before. Throws for an agent: nobody else can take back what others have read. */
  async share(ids: readonly string[]): Promise<Conversation[]> {
    await this.#requirePerson?.('share conversations')
    return this.#change(ids, true)
  }

  /** Returns those that were shared. They go from the index of the others when they next look. */
  unshare(ids: readonly string[]): Promise<Conversation[]> {
    return this.#change(ids, false)
  }

  /** The ids of all of one's own that are shared, or are not. */
  async own(shared: boolean): Promise<string[]> {
    const ids: string[] = []
    for (let after = ''; ; after = ids.at(-1)!) {
      const rows = await this.#storage.db
        .selectFrom('conversations')
        .select('id')
        .where(isOwn(this.#person))
        .where('shared', '=', shared ? 1 : 0)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute()
      ids.push(...rows.map(({ id }) => id))
      if (rows.length < PAGE) return ids
    }
  }

  async #change(ids: readonly string[], shared: boolean): Promise<Conversation[]> {
    const changed: Conversation[] = []
    // All are looked at first: one that is not there, or somebody else's, changes nothing.
    for (const id of new Set(ids)) {
      const conversation = await this.#history.own(id)
      if ((conversation.shared ?? false) !== shared) changed.push(conversation)
    }
    for (const { id } of changed)
      await this.#storage.transaction((db) => (shared ? this.#open(db, id) : this.#close(db, id)))
    return changed
  }

  /** Its revisions are new, so that the others' indexes notice it. */
  async #open(db: StorageTransaction, id: string): Promise<void> {
    const row = await db
      .updateTable('conversations')
      .set({ shared: 1 })
      .where('id', '=', id)
      .where(isOwn(this.#person))
      .returning('exchange_count')
      .executeTakeFirst()
    if (!row) return
    const last = await nextRevisions(db, row.exchange_count + 1)
    await db.updateTable('conversations').set({ revision: last }).where('id', '=', id).execute()
    await db
      .updateTable('exchanges')
      .set((set) => ({ revision: set('position', '+', last - row.exchange_count) }))
      .where('conversation_id', '=', id)
      .execute()
  }

  async #close(db: StorageTransaction, id: string): Promise<void> {
    const rows = await db.selectFrom('exchanges').select('id').where('conversation_id', '=', id).execute()
    const own = db.updateTable('conversations').set({ shared: 0 }).where('id', '=', id)
    await own.where(isOwn(this.#person)).execute()
    await withdraw(
      db,
      id,
      rows.map((row) => row.id),
    )
  }
}

/** Tells the indexes of everybody who has it that they should not have it any more. */
export async function withdraw(
  db: StorageTransaction,
  conversationId: string,
  exchangeIds: readonly string[],
): Promise<void> {
  const revision = await nextRevisions(db, 1)
  await db
    .insertInto('conversation_withdrawals')
    .values({ revision, conversation_id: conversationId, exchange_ids: JSON.stringify(exchangeIds) })
    .execute()
}

export interface Withdrawal {
  revision: number
  conversationId: string
  exchangeIds: string[]
}

/** What was withdrawn after a revision, in order. */
export async function withdrawnAfter(db: Queries, revision: number): Promise<Withdrawal[]> {
  const rows = await db
    .selectFrom('conversation_withdrawals')
    .selectAll()
    .where('revision', '>', revision)
    .orderBy('revision')
    .limit(PAGE)
    .execute()
  return rows.map((row) => ({
    revision: Number(row.revision),
    conversationId: row.conversation_id,
    exchangeIds: JSON.parse(row.exchange_ids),
  }))
}
