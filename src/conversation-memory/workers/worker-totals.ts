import type { Person } from '../../identity/person.ts'
import type { Storage, StorageTransaction } from '../../storage/storage.ts'

/** Items that a worker of any process has ever brought to an end, or given up. */
export interface ItemTotals {
  completed: number
  failed: number
}

/** What a person's workers of all processes have done. */
export class WorkerTotals {
  readonly #storage: Storage
  readonly #person: Person

  constructor(storage: Storage, person: Person) {
    this.#storage = storage
    this.#person = person
  }

  async count(
    db: StorageTransaction,
    worker: string,
    { completed = 0, failed = 0 }: Partial<ItemTotals>,
  ): Promise<void> {
    await db
      .insertInto('conversation_worker_totals')
      .values({ person: this.#person.id, worker, completed, failed })
      .onConflict((conflict) =>
        conflict.columns(['person', 'worker']).doUpdateSet((set) => ({
          completed: set('conversation_worker_totals.completed', '+', completed),
          failed: set('conversation_worker_totals.failed', '+', failed),
        })),
      )
      .execute()
  }

  async of(worker: string): Promise<ItemTotals> {
    const row = await this.#storage.db
      .selectFrom('conversation_worker_totals')
      .select(['completed', 'failed'])
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .executeTakeFirst()
    return { completed: Number(row?.completed ?? 0), failed: Number(row?.failed ?? 0) }
  }
}
