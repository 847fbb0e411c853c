import type { Person } from '../identity/person.ts'
import { derivedId } from '../storage/own-ids.ts'
import { nextRevisions } from '../storage/revisions.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import type { ConversationRow, ExchangeRow } from '../storage/tables.ts'
import { saysSomething } from '../text/small-talk.ts'
import type { SummarisedRow } from './exchange-rows.ts'
import { messageRows, newConversation, newExchange } from './new-rows.ts'
import { underOwnIds } from './own-exchanges.ts'
import type { PreparedExchange } from './prepare.ts'
import { EXCHANGE_CAPS, hashedId, type Message, type RestoredSummary, storable, titleFrom } from './record.ts'
import { Restoring, withSteps } from './restoring.ts'
import { inParts } from './row-parts.ts'
import { outgrownAt } from './summary-age.ts'

/** What became of one exchange. `elsewhere`: another conversation has it, and it is not wanted twice. */
export type Written = 'added' | 'updated' | 'unchanged' | 'elsewhere'

export interface WrittenExchange {
  id: string
  /** Under which it is the person's. */
  conversationId: string
  outcome: Written
}

/** An exchange as it stands in the store now. */
export interface StoredExchange {
  row: SummarisedRow
  steps: readonly Message[]
}

export interface WrittenBatch {
  exchanges: WrittenExchange[]
  /** What was added or updated, each once: nobody needs to read back what was just written. */
  changed: StoredExchange[]
  /** Every change of the batch got a revision after `after` and up to `upTo`, and nobody else's did. */
  revisions: { after: number; upTo: number }
  /** Taken over from a backup. */
  restored: { summaries: number; votes: number }
}

/**
 * Writes exchanges in order, all or nothing, as often as one likes: what is already there in the same words is left
 * alone, what has grown is updated and will be summarised and embedded anew.
 */
export function writeExchanges(
  storage: Storage,
  person: Person,
  exchanges: readonly PreparedExchange[],
): Promise<WrittenBatch> {
  return storage.transaction((db) => new Batch(db, person).write(exchanges))
}

/** Of one exchange: its own, its conversation's as it grows, and as something is restored in it. */
const MOST_REVISIONS = 3

class Batch {
  readonly #db: StorageTransaction
  readonly #person: Person
  readonly #conversations = new Map<string, ConversationRow>()
  readonly #touched = new Set<string>()
  readonly #exchanges = new Map<string, ExchangeRow>()
  /** Ids of exchanges that somebody else has. */
  readonly #foreign = new Set<string>()
  readonly #added = new Set<ExchangeRow>()
  readonly #changed = new Map<string, StoredExchange>()
  readonly #made = new Set<string>()
  readonly #restoring: Restoring
  /** Exchanges that only got a summary. */
  readonly #summarised = new Map<string, SummarisedRow>()
  #revision = 0

  constructor(db: StorageTransaction, person: Person) {
    this.#db = db
    this.#person = person
    this.#restoring = new Restoring(db, person)
  }

  async write(given: readonly PreparedExchange[]): Promise<WrittenBatch> {
    // Taken first: the counter's lock puts concurrent writers in line, so nobody sees a later revision before an earlier one.
    const most = given.length * MOST_REVISIONS
    const upTo = await nextRevisions(this.#db, most)
    const after = upTo - most
    this.#revision = after
    const exchanges = await underOwnIds(this.#db, this.#person, given)
    await this.#load(exchanges)
    const written: WrittenExchange[] = []
    for (const exchange of exchanges) written.push(await this.#one(exchange))
    await this.#save()
    const summarised = await withSteps(this.#db, [...this.#summarised.values()])
    const changed = [...this.#changed.values(), ...summarised]
    return { exchanges: written, changed, revisions: { after, upTo }, restored: this.#restoring.counts }
  }

  async #load(exchanges: readonly PreparedExchange[]): Promise<void> {
    for (const ids of inParts([...new Set(exchanges.map(({ conversationId }) => conversationId))])) {
      const rows = await this.#db.selectFrom('conversations').selectAll().where('id', 'in', ids).execute()
      for (const row of rows) this.#conversations.set(row.id, row)
    }
    const candidates = exchanges.flatMap((exchange) => Object.values(this.#candidates(exchange)))
    for (const ids of inParts([...new Set(candidates)])) {
      const rows = await this.#db
        .selectFrom('exchanges')
        .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
        .selectAll('exchanges')
        .select('conversations.person')
        .where('exchanges.id', 'in', ids)
        .execute()
      for (const { person, ...row } of rows) {
        if (person === this.#person.id) this.#exchanges.set(row.id, row)
        else this.#foreign.add(row.id)
      }
    }
    if (!exchanges.some(({ restored }) => restored?.summary)) return
    for (const ids of inParts([...this.#exchanges.keys()])) await this.#restoring.load(ids)
  }

  async #one(exchange: PreparedExchange): Promise<WrittenExchange> {
    // Ids are the caller's; another conversation may use the same one for something else.
    const { given, derived, own } = this.#candidates(exchange)
    const wanted = this.#foreign.has(given) || this.#exchanges.has(derived) ? derived : given
    const taken = this.#exchanges.get(wanted)
    const elsewhere = taken !== undefined && taken.conversation_id !== exchange.conversationId
    const { conversationId } = exchange
    if (elsewhere && exchange.uniqueId) return { id: wanted, conversationId, outcome: 'elsewhere' }
    const id = elsewhere ? own : wanted
    const known = this.#exchanges.get(id)
    const outcome = known ? await this.#revise(known, exchange) : this.#add(id, exchange)
    if (exchange.restored) await this.#restore(id, exchange)
    return { id, conversationId, outcome }
  }

  async #restore(id: string, exchange: PreparedExchange): Promise<void> {
    this.#restoring.vote('exchange', id, exchange.restored!.votes)
    const row = this.#conversations.get(exchange.conversationId)!
    if (!this.#restoring.takesConversation(row, exchange, this.#made.has(row.id))) return
    row.revision = ++this.#revision
    this.#touched.add(row.id)
  }

  /** The id as given, the one to use when somebody else has it, and when another conversation of mine has. */
  #candidates({ id, conversationId, userMessage, assistantMessage, startedAt }: PreparedExchange) {
    const given = id ?? hashedId(conversationId, startedAt ?? '', userMessage, assistantMessage)
    return { given, derived: derivedId(this.#person.id, given), own: `${conversationId}:${given}` }
  }

  #add(id: string, exchange: PreparedExchange): Written {
    const conversation = this.#conversation(exchange)
    const { text: summary } = this.#summaryFor(id, exchange) ?? {}
    const row = newExchange(id, exchange, {
      position: conversation.exchange_count,
      isSummarised: summary !== undefined,
      revision: ++this.#revision,
    })
    this.#exchanges.set(id, row)
    this.#added.add(row)
    this.#changed.set(id, { row: { ...row, summary: summary ?? null }, steps: exchange.messages })
    conversation.exchange_count++
    this.#grown(conversation, exchange)
    return 'added'
  }

  /** The summary that the backup has of these words, where it is taken. */
  #summaryFor(id: string, { restored }: PreparedExchange): RestoredSummary | undefined {
    return this.#restoring.takesSummary(id, restored?.summary) ? restored?.summary : undefined
  }

  async #revise(known: ExchangeRow, exchange: PreparedExchange): Promise<Written> {
    const same =
      known.user_message === exchange.userMessage &&
      known.assistant_message === exchange.assistantMessage &&
      known.status === exchange.status
    if (same) return this.#resummarise(known, exchange)
    // A backup may be older than what is here.
    const isOlder = exchange.completedAt !== null && exchange.completedAt < (known.completed_at ?? 0)
    if (exchange.restored?.conversation && isOlder) return 'unchanged'
    this.#restoring.dropSummary(known.id)
    const { text: summary } = this.#summaryFor(known.id, exchange) ?? {}
    const change = {
      user_message: exchange.userMessage,
      assistant_message: exchange.assistantMessage,
      status: exchange.status,
      completed_at: exchange.completedAt ?? known.completed_at,
      summarised: summary === undefined ? (0 as const) : (1 as const),
      summary_due: exchange.status === 'open' || summary !== undefined ? (0 as const) : (1 as const),
      revision: ++this.#revision,
    }
    Object.assign(known, change)
    this.#grown(this.#conversation(exchange), exchange)
    this.#changed.set(known.id, { row: { ...known, summary: summary ?? null }, steps: exchange.messages })
    // Twice in one batch: the row is not in the database yet.
    if (this.#added.has(known)) return 'updated'
    await this.#db.updateTable('exchanges').set(change).where('id', '=', known.id).execute()
    await this.#db.deleteFrom('exchange_messages').where('exchange_id', '=', known.id).execute()
    await this.#db.deleteFrom('exchange_summaries').where('exchange_id', '=', known.id).execute()
    return 'updated'
  }

  async #resummarise(known: ExchangeRow, exchange: PreparedExchange): Promise<Written> {
    const summary = this.#summaryFor(known.id, exchange)
    if (!summary) return 'unchanged'
    const change = { summarised: 1, summary_due: 0, revision: ++this.#revision } as const
    Object.assign(known, change)
    this.#summarised.set(known.id, { ...known, summary: summary.text })
    await this.#db.updateTable('exchanges').set(change).where('id', '=', known.id).execute()
    return 'unchanged'
  }

  #conversation(exchange: PreparedExchange): ConversationRow {
    const { conversationId, facts, userMessage, restored } = exchange
    const known = this.#conversations.get(conversationId)
    if (known) {
      const { updatedAt } = restored?.conversation ?? {}
      // Where more was said here since, it is called here what it should be called.
      const isOlder = updatedAt !== undefined && updatedAt.getTime() <= (known.updated_at ?? 0)
      if (facts.title) known.title = isOlder ? known.title : storable(facts.title, EXCHANGE_CAPS.title)
      // One that began with "hi" is named after what it came to.
      else if (!saysSomething(known.title ?? '') && saysSomething(userMessage))
        known.title = titleFrom(userMessage)
      return known
    }
    const row = newConversation(this.#person, exchange)
    this.#conversations.set(conversationId, row)
    this.#made.add(conversationId)
    return row
  }

  #grown(row: ConversationRow, exchange: PreparedExchange): void {
    const last = exchange.completedAt ?? exchange.startedAt
    if (last !== null) row.updated_at = Math.max(row.updated_at ?? last, last)
    if (exchange.startedAt !== null)
      row.started_at = Math.min(row.started_at ?? exchange.startedAt, exchange.startedAt)
    if (row.exchange_count >= outgrownAt(row.summarised_exchanges)) row.summary_due = 1
    row.revision = ++this.#revision
    this.#touched.add(row.id)
  }

  async #save(): Promise<void> {
    const conversations = [...this.#touched].map((id) => this.#conversations.get(id)!)
    for (const rows of inParts(conversations)) {
      await this.#db
        .insertInto('conversations')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((excluded) => ({
            title: excluded.ref('excluded.title'),
            started_at: excluded.ref('excluded.started_at'),
            updated_at: excluded.ref('excluded.updated_at'),
            exchange_count: excluded.ref('excluded.exchange_count'),
            summary: excluded.ref('excluded.summary'),
            summary_model: excluded.ref('excluded.summary_model'),
            summarised_exchanges: excluded.ref('excluded.summarised_exchanges'),
            summary_due: excluded.ref('excluded.summary_due'),
            revision: excluded.ref('excluded.revision'),
          })),
        )
        .execute()
    }
    for (const rows of inParts([...this.#added]))
      await this.#db.insertInto('exchanges').values(rows).execute()
    const changed = [...this.#changed.values()]
    await this.#restoring.save()
    const messages = changed.flatMap(({ row, steps }) => messageRows(row.id, steps))
    for (const rows of inParts(messages))
      await this.#db.insertInto('exchange_messages').values(rows).execute()
  }
}
