import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { isRalphError, messageOf } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import { FREE, Leases } from '../../storage/leases.ts'
import type { Storage, StorageTransaction } from '../../storage/storage.ts'
import type { Tables } from '../../storage/tables.ts'

/** The items a person's workers have taken, those that failed and when they are tried again. */
export class Claims {
  readonly #storage: Storage
  readonly #person: Person
  readonly #clock: () => Date
  readonly #leases: Leases

  constructor(storage: Storage, person: Person, clock: () => Date) {
    this.#storage = storage
    this.#person = person
    this.#clock = clock
    this.#leases = new Leases(storage, 'conversation_work', () => clock().getTime())
  }

  get owner(): string {
    return this.#leases.owner
  }

  /** Takes those of the items that nobody holds and that are due. */
  async take(worker: string, itemIds: readonly string[]): Promise<string[]> {
    if (itemIds.length === 0) return []
    const now = this.#clock().getTime()
    const lease = this.#leases.taken()
    const rows = await this.#storage.db
      .insertInto('conversation_work')
      .values(
        itemIds.map((item_id) => ({
          person: this.#person.id,
          worker,
          item_id,
          attempts: 0,
          not_before: 0,
          given_up: 0 as const,
          problem: null,
          ...lease,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['worker', 'item_id'])
          .doUpdateSet(lease)
          .where(this.#leases.isFree())
          .where('conversation_work.not_before', '<=', now)
          .where('conversation_work.given_up', '=', 0),
      )
      .returning('item_id')
      .execute()
    return rows.map(({ item_id }) => item_id)
  }

  /** Keeps the leases while `work` runs, however long it takes. */
  holding<Result>(worker: string, itemIds: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return this.#leases.holding(work, items(worker, itemIds))
  }

  /** The same for whoever has no one piece of work to wait for, once. */
  async renew(worker: string, itemIds: readonly string[]): Promise<void> {
    await this.#leases.renew(items(worker, itemIds))
  }

  /** Those that were taken and that nobody works on any more. */
  async unheld(worker: string): Promise<string[]> {
    const rows = await this.#storage.db
      .selectFrom('conversation_work')
      .select('item_id')
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .where(this.#leases.isFree())
      .execute()
    return rows.map(({ item_id }) => item_id)
  }

  /**
   * Ends the lease on items that are done, in the transaction that stores the result. Returns those that were still
   * held: for the others somebody else has taken over, and their result counts.
   */
  async done(db: StorageTransaction, worker: string, itemIds: readonly string[]): Promise<Set<string>> {
    const rows = await db
      .deleteFrom('conversation_work')
      .where(items(worker, itemIds))
      .where(this.#leases.isMine())
      .returning('item_id')
      .execute()
    return new Set(rows.map(({ item_id }) => item_id))
  }

  /** Gives items back untouched. */
  async release(worker: string, itemIds: readonly string[]): Promise<void> {
    if (itemIds.length === 0) return
    await this.#storage.db
      .updateTable('conversation_work')
      .set(FREE)
      .where(items(worker, itemIds))
      .where(this.#leases.isMine())
      .execute()
  }

  /** Tries again after 1, 2, 4, 8, 16, 32 seconds; then the item is given up. Returns how many were. */
  async fail(
    worker: string,
    itemIds: readonly string[],
    error: unknown,
    maxRetries: number,
  ): Promise<number> {
    const now = this.#clock().getTime()
    const asked = (isRalphError(error) && error.retryAfterMs) || 0
    let givenUp = 0
    await this.#storage.transaction(async (db) => {
      givenUp = 0
      const rows = await db
        .selectFrom('conversation_work')
        .select(['item_id', 'attempts'])
        .where(items(worker, itemIds))
        .where(this.#leases.isMine())
        .execute()
      for (const { item_id, attempts } of rows) {
        const hopeless = attempts >= maxRetries
        if (hopeless) givenUp++
        await db
          .updateTable('conversation_work')
          .set({
            attempts: attempts + 1,
            not_before: now + Math.max(asked, 1_000 * 2 ** Math.min(attempts, 5)),
            given_up: hopeless ? 1 : 0,
            problem: messageOf(error).slice(0, 500),
            ...FREE,
          })
          .where('worker', '=', worker)
          .where('item_id', '=', item_id)
          .execute()
      }
    })
    return givenUp
  }

  /** Items that failed before and may be tried again now, or whose worker has died. */
  async due(worker: string, limit: number): Promise<string[]> {
    const now = this.#clock().getTime()
    const rows = await this.#storage.db
      .selectFrom('conversation_work')
      .select('item_id')
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .where('given_up', '=', 0)
      .where('not_before', '<=', now)
      .where(this.#leases.isFree())
      .orderBy('not_before')
      .limit(limit)
      .execute()
    return rows.map(({ item_id }) => item_id)
  }

  /** When the next waiting item is due. */
  async nextDue(worker: string): Promise<Date | undefined> {
    const row = await this.#storage.db
      .selectFrom('conversation_work')
      .select((select) => select.fn.min('not_before').as('at'))
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .where('given_up', '=', 0)
      .where('attempts', '>', 0)
      .executeTakeFirst()
    return row?.at === null || row?.at === undefined ? undefined : new Date(Number(row.at))
  }

  /** Before a round: what the killed have, and what an earlier round could not give back to a storage that was down. */
  async releaseAbandoned(worker: string): Promise<void> {
    await this.#leases.release(expressionBuilder<Tables, 'conversation_work'>()('worker', '=', worker))
    await this.releaseDead()
  }

  releaseDead(): Promise<void> {
    return this.#leases.releaseDead()
  }

  async forget(worker: string): Promise<void> {
    await this.#storage.db
      .deleteFrom('conversation_work')
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .execute()
  }
}

function items(worker: string, itemIds: readonly string[]): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'conversation_work'>()
  return is.and([is('worker', '=', worker), is('item_id', 'in', [...itemIds])])
}
