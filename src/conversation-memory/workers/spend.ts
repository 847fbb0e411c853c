import { RalphError } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import type { ModelUsage } from '../../language-model/language-model.ts'
import { isFree } from '../../storage/leases.ts'
import type { Queries, Storage, StorageTransaction } from '../../storage/storage.ts'
import type { WorkerTotalsRow } from '../../storage/tables.ts'

export interface SpendTotals {
  completed: number
  failed: number
  inputTokens: number
  outputTokens: number
  spendUsd: number
  /** Calls whose price is not known; their cost is not in `spendUsd`. */
  unpricedCalls: number
}

const NOTHING: SpendTotals = {
  completed: 0,
  failed: 0,
  inputTokens: 0,
  outputTokens: 0,
  spendUsd: 0,
  unpricedCalls: 0,
}
/** Whoever wants to spend waits here for the others: a counter's row is a lock that both databases know. */
const GATE = 'conversations.spend'

/** What all workers of all processes of a person have done and spent, and the limit that none of them passes. */
export class Spend {
  readonly #storage: Storage
  readonly #person: Person
  readonly #clock: () => Date
  /** Dollars, over everything ever spent by conversation memory; undefined is no limit. */
  readonly limitUsd: number | undefined

  constructor(storage: Storage, person: Person, clock: () => Date, limitUsd: number | undefined) {
    this.#storage = storage
    this.#person = person
    this.#clock = clock
    this.limitUsd = limitUsd
  }

  /** Sets the most a call can cost aside before it is made; throws `limit_reached` when it does not fit any more. */
  async reserve(worker: string, itemId: string, owner: string, worstUsd: number | undefined): Promise<void> {
    if (this.limitUsd === undefined || worstUsd === 0) return
    if (worstUsd === undefined) {
      throw new RalphError(
        'limit_reached',
        'the price of the model is not known, so max_spend cannot be kept',
        {
          hint: 'Add the price to language_model.prices, or use a model with a known price.',
        },
      )
    }
    const limit = this.limitUsd
    await this.#storage.transaction(async (db) => {
      await this.#lock(db)
      const spent = await this.#committed(db)
      if (spent + worstUsd > limit) throw this.#exhausted(spent)
      await db
        .updateTable('conversation_work')
        .set({ reserved_usd: worstUsd })
        .where('worker', '=', worker)
        .where('item_id', '=', itemId)
        .where('lease_owner', '=', owner)
        .execute()
    })
  }

  /** True when not even the cheapest call would fit. */
  async exhausted(): Promise<boolean> {
    if (this.limitUsd === undefined) return false
    return (await this.#storage.transaction((db) => this.#committed(db))) >= this.limitUsd
  }

  /** A worker that died while a call was under way may have been charged for it: it counts as spent. */
  async settleAbandoned(): Promise<void> {
    const now = this.#clock().getTime()
    await this.#storage.transaction(async (db) => {
      await this.#lock(db)
      const abandoned = await db
        .selectFrom('conversation_work')
        .select(['worker', 'item_id', 'reserved_usd'])
        .where('person', '=', this.#person.id)
        .where(isFree('conversation_work', now))
        .where('reserved_usd', '>', 0)
        .execute()
      for (const { worker, item_id, reserved_usd } of abandoned) {
        await db
          .updateTable('conversation_work')
          .set({ reserved_usd: 0 })
          .where('worker', '=', worker)
          .where('item_id', '=', item_id)
          .execute()
        await this.count(db, worker, { usage: { inputTokens: 0, outputTokens: 0, costUsd: reserved_usd } })
      }
    })
  }

  async count(
    db: StorageTransaction,
    worker: string,
    change: { completed?: number; failed?: number; usage?: ModelUsage },
  ): Promise<void> {
    const { completed = 0, failed = 0, usage } = change
    const row: WorkerTotalsRow = {
      person: this.#person.id,
      worker,
      completed,
      failed,
      input_tokens: usage?.inputTokens ?? 0,
      output_tokens: usage?.outputTokens ?? 0,
      spend_usd: usage?.costUsd ?? 0,
      unpriced_calls: usage !== undefined && usage.costUsd === undefined ? 1 : 0,
    }
    await db
      .insertInto('conversation_worker_totals')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['person', 'worker']).doUpdateSet((set) => ({
          completed: set('conversation_worker_totals.completed', '+', row.completed),
          failed: set('conversation_worker_totals.failed', '+', row.failed),
          input_tokens: set('conversation_worker_totals.input_tokens', '+', row.input_tokens),
          output_tokens: set('conversation_worker_totals.output_tokens', '+', row.output_tokens),
          spend_usd: set('conversation_worker_totals.spend_usd', '+', row.spend_usd),
          unpriced_calls: set('conversation_worker_totals.unpriced_calls', '+', row.unpriced_calls),
        })),
      )
      .execute()
  }

  async totals(worker: string): Promise<SpendTotals> {
    const row = await this.#storage.db
      .selectFrom('conversation_worker_totals')
      .selectAll()
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .executeTakeFirst()
    if (!row) return NOTHING
    return {
      completed: Number(row.completed),
      failed: Number(row.failed),
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      spendUsd: row.spend_usd,
      unpricedCalls: Number(row.unpriced_calls),
    }
  }

  async spentUsd(db: Queries = this.#storage.db): Promise<number> {
    const row = await db
      .selectFrom('conversation_worker_totals')
      .select((select) => select.fn.sum('spend_usd').as('total'))
      .where('person', '=', this.#person.id)
      .executeTakeFirst()
    return Number(row?.total ?? 0)
  }

  async #lock(db: StorageTransaction): Promise<void> {
    await db
      .insertInto('counters')
      .values({ name: GATE, value: 1 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((set) => ({ value: set('counters.value', '+', 1) })),
      )
      .execute()
  }

  /** Spent, and set aside for calls under way. */
  async #committed(db: StorageTransaction): Promise<number> {
    const spent = await this.spentUsd(db)
    const reserved = await db
      .selectFrom('conversation_work')
      .select((select) => select.fn.sum('reserved_usd').as('total'))
      .where('person', '=', this.#person.id)
      .executeTakeFirst()
    return spent + Number(reserved?.total ?? 0)
  }

  #exhausted(spent: number): RalphError {
    return new RalphError(
      'limit_reached',
      `max_spend of $${this.limitUsd} is reached ($${spent.toFixed(4)} spent or set aside)`,
      { hint: 'Raise language_model.max_spend to go on.' },
    )
  }
}
