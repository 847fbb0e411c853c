import type { CallCost, PaidCall, PaidCalls, PlannedCall } from '../services/paid-calls.ts'
import type { Queries, StorageSource, StorageTransaction } from '../storage/storage.ts'
import type { SpendRow } from '../storage/tables.ts'
import { type Budget, budgetsOf, limitReached, type SpendLimits, unpriced } from './limits.ts'
import { monthOf } from './period.ts'

export interface LedgerOptions {
  storage: StorageSource
  /** Whose money it is. */
  person: () => Promise<{ id: string }>
  limits: SpendLimits
  /** How the price of a model is made known. */
  priceHint: (model: string) => string
  clock?: (() => Date) | undefined
}

type Key = Pick<SpendRow, 'person' | 'month' | 'purpose' | 'model'>
type Change = Omit<SpendRow, keyof Key>

/**
 * What every call of any part has cost, by person, month, purpose and model, and the limits that no process passes. A
 * call stands here at its worst price before it is made, and at its true one after; what is never settled, as when a
 * process was killed, has thus been spent.
 */
export class Ledger implements PaidCalls {
  readonly #options: LedgerOptions
  readonly limits: SpendLimits

  constructor(options: LedgerOptions) {
    this.#options = options
    this.limits = options.limits
  }

  get now(): Date {
    return this.#options.clock?.() ?? new Date()
  }

  async begin(call: PlannedCall): Promise<PaidCall> {
    const { purpose, model } = call
    const { workers, chat } = budgetsOf(this.limits)
    const budget = purpose === 'chat' ? chat : workers
    const { now } = this
    const key: Key = { person: await this.#person(), month: monthOf(now), purpose, model }
    const worstUsd = call.worstUsd ?? this.#unknown(call, budget)
    const isUnpriced = call.worstUsd === undefined ? 1 : 0
    const set: Change = {
      calls: 1,
      input_tokens: 0,
      output_tokens: 0,
      usd: worstUsd,
      estimated_usd: worstUsd,
      unpriced_calls: isUnpriced,
    }
    const storage = await this.#options.storage()
    await storage.transaction(async (db) => {
      if (budget.limitUsd !== undefined && worstUsd > 0) {
        await lock(db, key.person)
        const spentUsd = await this.#spent(db, key, budget)
        if (spentUsd + worstUsd > budget.limitUsd)
          throw limitReached(budget, this.limits, { spentUsd, worstUsd, now })
      }
      await add(db, key, set)
    })
    return {
      settle: async (cost) => {
        const change = cost ? settled(cost, worstUsd) : undone(set)
        await storage.transaction((db) => add(db, key, change))
      },
    }
  }

  /** Everything that was ever written down for this person. */
  async rows(): Promise<SpendRow[]> {
    const storage = await this.#options.storage()
    const rows = await storage.db
      .selectFrom('spend')
      .selectAll()
      .where('person', '=', await this.#person())
      .orderBy('month', 'desc')
      .orderBy('purpose')
      .orderBy('model')
      .execute()
    return rows.map((row) => ({
      ...row,
      calls: Number(row.calls),
      input_tokens: Number(row.input_tokens),
      output_tokens: Number(row.output_tokens),
      unpriced_calls: Number(row.unpriced_calls),
    }))
  }

  /**
   * A limit cannot be kept with a price that nobody knows. Embeddings are made nevertheless: those of a server of one's
   * own cost nothing, any others next to nothing, and without them nothing would be found by meaning.
   */
  #unknown({ purpose, model }: PlannedCall, { limitUsd, setting }: Budget): number {
    if (limitUsd === undefined || purpose === 'embedding') return 0
    const name = model.slice(model.indexOf(':') + 1)
    throw unpriced(setting, name, this.#options.priceHint(name))
  }

  /** Spent in the period, and set aside for calls under way. */
  async #spent(db: Queries, { person, month }: Key, { purposes }: Budget): Promise<number> {
    const row = await db
      .selectFrom('spend')
      .select((select) => select.fn.sum('usd').as('usd'))
      .where('person', '=', person)
      .where('purpose', 'in', purposes)
      .$if(this.limits.period === 'month', (some) => some.where('month', '=', month))
      .executeTakeFirst()
    return Math.max(0, Number(row?.usd ?? 0))
  }

  async #person(): Promise<string> {
    return (await this.#options.person()).id
  }
}

/** What a call has cost in the place of the worst it could have cost. */
function settled({ inputTokens, outputTokens, costUsd = 0, isEstimate }: CallCost, worstUsd: number): Change {
  return {
    calls: 0,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    usd: costUsd - worstUsd,
    estimated_usd: (isEstimate ? costUsd : 0) - worstUsd,
    unpriced_calls: 0,
  }
}

function undone({ calls, usd, estimated_usd, unpriced_calls }: Change): Change {
  return {
    calls: -calls,
    input_tokens: 0,
    output_tokens: 0,
    usd: -usd,
    estimated_usd: -estimated_usd,
    unpriced_calls: -unpriced_calls,
  }
}

async function add(db: StorageTransaction, key: Key, change: Change): Promise<void> {
  await db
    .insertInto('spend')
    .values({ ...key, ...change })
    .onConflict((conflict) =>
      conflict.columns(['person', 'month', 'purpose', 'model']).doUpdateSet((set) => ({
        calls: set('spend.calls', '+', change.calls),
        input_tokens: set('spend.input_tokens', '+', change.input_tokens),
        output_tokens: set('spend.output_tokens', '+', change.output_tokens),
        usd: set('spend.usd', '+', change.usd),
        estimated_usd: set('spend.estimated_usd', '+', change.estimated_usd),
        unpriced_calls: set('spend.unpriced_calls', '+', change.unpriced_calls),
      })),
    )
    .execute()
}

/** Whoever wants to spend waits here for the others: a counter's row is a lock that both databases know. */
async function lock(db: StorageTransaction, person: string): Promise<void> {
  await db
    .insertInto('counters')
    .values({ name: `${GATE}${person}`, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((set) => ({ value: set('counters.value', '+', 1) })),
    )
    .execute()
}

const GATE = 'spend.'
