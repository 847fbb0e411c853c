import type { Person } from '../identity/person.ts'
import type { Queries } from '../storage/storage.ts'
import type { ExchangeRow } from '../storage/tables.ts'
import { mayRead } from './whose.ts'

/** An exchange with its summary, which is kept apart. */
export type SummarisedRow = ExchangeRow & { summary: string | null }

/** The exchanges that a person may read. */
export function exchangeRows(db: Queries, person: Person) {
  return db
    .selectFrom('exchanges')
    .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
    .leftJoin('exchange_summaries', 'exchange_summaries.exchange_id', 'exchanges.id')
    .where(mayRead(person))
    .selectAll('exchanges')
    .select('exchange_summaries.summary')
}
