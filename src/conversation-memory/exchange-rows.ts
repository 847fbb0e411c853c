import type { Queries } from '../storage/storage.ts'
import type { ExchangeRow } from '../storage/tables.ts'

/** An exchange with its summary, which is kept apart. */
export type SummarisedRow = ExchangeRow & { summary: string | null }

export function exchangeRows(db: Queries) {
  return db
    .selectFrom('exchanges')
    .leftJoin('exchange_summaries', 'exchange_summaries.exchange_id', 'exchanges.id')
    .selectAll('exchanges')
    .select('exchange_summaries.summary')
}
