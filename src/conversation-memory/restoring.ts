import type { Person } from '../identity/person.ts'
import { EXTRACTIVE } from '../language-model/summariser.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import type { ConversationRow, SummaryRow, VoteRow } from '../storage/tables.ts'
import type { SummarisedRow } from './exchange-rows.ts'
import type { PreparedExchange } from './prepare.ts'
import { storedMessage } from './readable-rows.ts'
import type { Message, RestoredSummary } from './record.ts'
import { inParts } from './row-parts.ts'
import { outgrownAt } from './summary-age.ts'

/** Nobody was paid for it: it is made again at any time. Also one that stands in for what a model did not write. */
function isWithoutModel(writer: string): boolean {
  return writer === 'imported' || writer.startsWith(EXTRACTIVE)
}

/** What a backup brings beside the words, written in the same transaction. What is here already, and as good, stays. */
export class Restoring {
  readonly #db: StorageTransaction
  readonly #person: Person
  /** By exchange: who wrote the summary that is here. */
  readonly #writers = new Map<string, string>()
  readonly #summaries = new Map<string, SummaryRow>()
  readonly #votes = new Map<string, VoteRow>()
  readonly counts = { summaries: 0, votes: 0 }

  constructor(db: StorageTransaction, person: Person) {
    this.#db = db
    this.#person = person
  }

  /** Reads what is needed to tell whether a summary is better than the one that is here. */
  async load(exchangeIds: readonly string[]): Promise<void> {
    const rows = await this.#db
      .selectFrom('exchange_summaries')
      .select(['exchange_id', 'model'])
      .where('exchange_id', 'in', [...exchangeIds])
      .execute()
    for (const { exchange_id, model } of rows) this.#writers.set(exchange_id, model)
  }

  /** Of an exchange whose words are as the backup has them. True when its summary is taken. */
  takesSummary(exchangeId: string, summary: RestoredSummary | undefined): boolean {
    if (!summary || !isBetter(summary.model, this.#writers.get(exchangeId))) return false
    this.#writers.set(exchangeId, summary.model)
    this.#summaries.set(exchangeId, {
      exchange_id: exchangeId,
      summary: summary.text,
      model: summary.model,
    })
    return true
  }

  /** Its words are others by now. */
  dropSummary(exchangeId: string): void {
    this.#writers.delete(exchangeId)
    this.#summaries.delete(exchangeId)
  }

  /** True when the conversation has changed by it. */
  takesConversation(row: ConversationRow, { restored }: PreparedExchange, isNew: boolean): boolean {
    const { summary, votes, shared } = restored?.conversation ?? {}
    this.vote('conversation', row.id, votes)
    const isShared = isNew && shared === true && row.shared === 0
    if (isShared) row.shared = 1
    if (!summary || !isBetter(summary.model, row.summary === null ? undefined : (row.summary_model ?? '')))
      return isShared
    row.summary = summary.text
    row.summary_model = summary.model
    row.summarised_exchanges = summary.covers
    row.summary_due = row.exchange_count >= outgrownAt(summary.covers) ? 1 : 0
    this.counts.summaries++
    return true
  }

  vote(kind: VoteRow['kind'], id: string, votes: number | undefined): void {
    if (votes) this.#votes.set(`${kind} ${id}`, { person: this.#person.id, kind, item_id: id, votes })
  }

  async save(): Promise<void> {
    for (const rows of inParts([...this.#summaries.values()])) {
      await this.#db
        .insertInto('exchange_summaries')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('exchange_id').doUpdateSet((excluded) => ({
            summary: excluded.ref('excluded.summary'),
            model: excluded.ref('excluded.model'),
          })),
        )
        .execute()
      this.counts.summaries += rows.length
    }
    for (const rows of inParts([...this.#votes.values()])) {
      const cast = await this.#db
        .insertInto('conversation_votes')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning('item_id')
        .execute()
      this.counts.votes += cast.length
    }
  }
}

/** Exchanges that only got a summary, as they stand now. */
export async function withSteps(
  db: StorageTransaction,
  rows: readonly SummarisedRow[],
): Promise<{ row: SummarisedRow; steps: Message[] }[]> {
  const steps = new Map<string, Message[]>()
  for (const part of inParts(rows)) {
    const ids = part.map(({ id }) => id)
    const found = db.selectFrom('exchange_messages').selectAll().where('exchange_id', 'in', ids)
    for (const row of await found.orderBy('exchange_id').orderBy('position').execute())
      steps.set(row.exchange_id, [...(steps.get(row.exchange_id) ?? []), storedMessage(row)])
  }
  return rows.map((row) => ({ row, steps: steps.get(row.id) ?? [] }))
}

function isBetter(model: string, than: string | undefined): boolean {
  if (than === undefined) return true
  return isWithoutModel(than) && !isWithoutModel(model)
}
