import type { Person } from '../identity/person.ts'
import { nextRevisions } from '../storage/revisions.ts'
import type { Storage } from '../storage/storage.ts'
import { Claims } from './workers/claims.ts'

/** Names, in the list of work, the answers that are being written. */
const ANSWER = 'answer'
const RENEW_MS = 15_000

/**
 * Answers that are being written. Whoever writes one holds it, so that everybody else can tell an answer that is still to
 * come from one whose writer was killed.
 */
export class OpenExchanges {
  readonly #storage: Storage
  readonly #claims: Claims
  readonly #held = new Set<string>()
  #renewing: NodeJS.Timeout | undefined

  constructor(storage: Storage, person: Person, clock: () => Date) {
    this.#storage = storage
    this.#claims = new Claims(storage, person, clock)
  }

  async hold(exchangeId: string): Promise<void> {
    // Also one that is held already: a process that slept may have lost it.
    await this.#claims.take(ANSWER, [exchangeId])
    this.#held.add(exchangeId)
    this.#renewing ??= setInterval(() => {
      // One that fails only shortens the lease; whoever writes the answer hears what is wrong with the storage.
      this.#claims.renew(ANSWER, [...this.#held]).catch(() => undefined)
    }, RENEW_MS).unref()
  }

  async letGo(exchangeId: string): Promise<void> {
    if (!this.#held.delete(exchangeId)) return
    if (this.#held.size === 0) this.close()
    await this.#storage.transaction((db) => this.#claims.done(db, ANSWER, [exchangeId]))
  }

  /** What nobody writes any more stays as far as it came. Returns how many there were. */
  async closeAbandoned(): Promise<number> {
    await this.#claims.releaseDead()
    const abandoned = await this.#claims.unheld(ANSWER)
    if (abandoned.length > 0) await this.#close(abandoned)
    return abandoned.length
  }

  /** Holds nothing any longer by itself; what is held runs out. */
  close(): void {
    clearInterval(this.#renewing)
    this.#renewing = undefined
  }

  #close(ids: readonly string[]): Promise<void> {
    return this.#storage.transaction(async (db) => {
      let revision = await nextRevisions(db, ids.length)
      for (const id of ids) {
        await db
          .updateTable('exchanges')
          .set({ status: 'interrupted', summary_due: 1, revision: revision-- })
          .where('id', '=', id)
          // Its writer may have come to the end meanwhile.
          .where('status', '=', 'open')
          .execute()
      }
      await db
        .deleteFrom('conversation_work')
        .where('worker', '=', ANSWER)
        .where('item_id', 'in', [...ids])
        .execute()
    })
  }
}
