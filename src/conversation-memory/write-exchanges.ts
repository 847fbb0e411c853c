import type { Person } from '../identity/person.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import type { ConversationRow, ExchangeRow, MessageRow } from '../storage/tables.ts'
import { saysSomething } from '../text/small-talk.ts'
import type { SummarisedRow } from './exchange-rows.ts'
import type { PreparedExchange } from './prepare.ts'
import { EXCHANGE_CAPS, hashedId, type Message, storable, titleFrom } from './record.ts'
import { nextRevisions } from './revisions.ts'
import { outgrownAt } from './summary-age.ts'
import { derivedId, ownIds } from './whose.ts'

/** What became of one exchange. `elsewhere`: another conversation has it, and it is not wanted twice. */
export type Written = 'added' | 'updated' | 'unchanged' | 'elsewhere'

export interface WrittenExchange {
  id: string
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

/** Rows per statement: SQLite allows 32,766 parameters. */
const ROWS = 500

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
  #revision = 0

  constructor(db: StorageTransaction, person: Person) {
    this.#db = db
    this.#person = person
  }

  async write(given: readonly PreparedExchange[]): Promise<WrittenBatch> {
    // Taken first: the counter's lock puts concurrent writers in line, so nobody sees a later revision before an earlier one.
    const upTo = await nextRevisions(this.#db, given.length * 2)
    const after = upTo - given.length * 2
    this.#revision = after
    const exchanges = await this.#own(given)
    await this.#load(exchanges)
    const written: WrittenExchange[] = []
    for (const exchange of exchanges) written.push(await this.#one(exchange))
    await this.#save()
    return { exchanges: written, changed: [...this.#changed.values()], revisions: { after, upTo } }
  }

  /** Under ids that are not somebody else's. */
  async #own(exchanges: readonly PreparedExchange[]): Promise<PreparedExchange[]> {
    const ids = new Map<string, string>()
    const named = exchanges.flatMap(({ conversationId, facts }) =>
      [conversationId, facts.parentId ?? []].flat(),
    )
    for (const some of slices([...new Set(named)]))
      for (const [id, own] of await ownIds(this.#db, this.#person, some)) ids.set(id, own)
    return exchanges.map((exchange) => {
      const { conversationId, facts } = exchange
      const parentId = facts.parentId && ids.get(facts.parentId)
      return {
        ...exchange,
        conversationId: ids.get(conversationId)!,
        facts: { ...facts, ...(parentId && { parentId }) },
      }
    })
  }

  async #load(exchanges: readonly PreparedExchange[]): Promise<void> {
    for (const ids of slices([...new Set(exchanges.map(({ conversationId }) => conversationId))])) {
      const rows = await this.#db.selectFrom('conversations').selectAll().where('id', 'in', ids).execute()
      for (const row of rows) this.#conversations.set(row.id, row)
    }
    const candidates = exchanges.flatMap((exchange) => Object.values(this.#candidates(exchange)))
    for (const ids of slices([...new Set(candidates)])) {
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
  }

  async #one(exchange: PreparedExchange): Promise<WrittenExchange> {
    // Ids are the caller's; another conversation may use the same one for something else.
    const { given, derived, own } = this.#candidates(exchange)
    const wanted = this.#foreign.has(given) || this.#exchanges.has(derived) ? derived : given
    const taken = this.#exchanges.get(wanted)
    const elsewhere = taken !== undefined && taken.conversation_id !== exchange.conversationId
    if (elsewhere && exchange.uniqueId) return { id: wanted, outcome: 'elsewhere' }
    const id = elsewhere ? own : wanted
    const known = this.#exchanges.get(id)
    if (known) return { id, outcome: await this.#revise(known, exchange) }
    this.#add(id, exchange)
    return { id, outcome: 'added' }
  }

  /** The id as given, the one to use when somebody else has it, and when another conversation of mine has. */
  #candidates({ id, conversationId, userMessage, assistantMessage, startedAt }: PreparedExchange) {
    const given = id ?? hashedId(conversationId, startedAt ?? '', userMessage, assistantMessage)
    return { given, derived: derivedId(this.#person, given), own: `${conversationId}:${given}` }
  }

  #add(id: string, exchange: PreparedExchange): void {
    const conversation = this.#conversation(exchange)
    const row: ExchangeRow = {
      id,
      conversation_id: exchange.conversationId,
      position: conversation.exchange_count,
      user_message: exchange.userMessage,
      assistant_message: exchange.assistantMessage,
      status: exchange.status,
      started_at: exchange.startedAt,
      completed_at: exchange.completedAt,
      summarised: exchange.summary === undefined ? 0 : 1,
      summary_due: exchange.status === 'open' || exchange.summary !== undefined ? 0 : 1,
      revision: ++this.#revision,
    }
    this.#exchanges.set(id, row)
    this.#added.add(row)
    this.#changed.set(id, { row: { ...row, summary: exchange.summary ?? null }, steps: exchange.messages })
    conversation.exchange_count++
    this.#grown(conversation, exchange)
  }

  async #revise(known: ExchangeRow, exchange: PreparedExchange): Promise<Written> {
    const same =
      known.user_message === exchange.userMessage &&
      known.assistant_message === exchange.assistantMessage &&
      known.status === exchange.status
    if (same) return 'unchanged'
    const change = {
      user_message: exchange.userMessage,
      assistant_message: exchange.assistantMessage,
      status: exchange.status,
      completed_at: exchange.completedAt ?? known.completed_at,
      summarised: 0,
      summary_due: exchange.status === 'open' ? 0 : 1,
      revision: ++this.#revision,
    } as const
    Object.assign(known, change)
    this.#grown(this.#conversation(exchange), exchange)
    this.#changed.set(known.id, { row: { ...known, summary: null }, steps: exchange.messages })
    // Twice in one batch: the row is not in the database yet.
    if (this.#added.has(known)) return 'updated'
    await this.#db.updateTable('exchanges').set(change).where('id', '=', known.id).execute()
    await this.#db.deleteFrom('exchange_messages').where('exchange_id', '=', known.id).execute()
    await this.#db.deleteFrom('exchange_summaries').where('exchange_id', '=', known.id).execute()
    return 'updated'
  }

  #conversation({ conversationId, facts, userMessage, startedAt }: PreparedExchange): ConversationRow {
    const known = this.#conversations.get(conversationId)
    if (known) {
      if (facts.title) known.title = storable(facts.title, EXCHANGE_CAPS.title)
      // One that began with "hi" is named after what it came to.
      else if (!saysSomething(known.title ?? '') && saysSomething(userMessage))
        known.title = titleFrom(userMessage)
      return known
    }
    const row: ConversationRow = {
      id: conversationId,
      person: this.#person.id,
      shared: 0,
      title: facts.title ? storable(facts.title, EXCHANGE_CAPS.title) : titleFrom(userMessage),
      source: facts.source,
      project: facts.project ?? null,
      parent_id: facts.parentId ?? null,
      started_at: startedAt,
      updated_at: startedAt,
      exchange_count: 0,
      summary: null,
      summary_model: null,
      summary_due: 1,
      summarised_exchanges: 0,
      in_use_until: 0,
      revision: 0,
    }
    this.#conversations.set(conversationId, row)
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
    for (const rows of slices(conversations)) {
      await this.#db
        .insertInto('conversations')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((excluded) => ({
            title: excluded.ref('excluded.title'),
            started_at: excluded.ref('excluded.started_at'),
            updated_at: excluded.ref('excluded.updated_at'),
            exchange_count: excluded.ref('excluded.exchange_count'),
            summary_due: excluded.ref('excluded.summary_due'),
            revision: excluded.ref('excluded.revision'),
          })),
        )
        .execute()
    }
    for (const rows of slices([...this.#added])) await this.#db.insertInto('exchanges').values(rows).execute()
    const changed = [...this.#changed.values()]
    const summaries = changed.flatMap(({ row: { id, summary } }) =>
      summary === null ? [] : [{ exchange_id: id, summary, model: 'imported' }],
    )
    for (const rows of slices(summaries))
      await this.#db.insertInto('exchange_summaries').values(rows).execute()
    const messages = changed.flatMap(({ row, steps }) => messageRows(row.id, steps))
    for (const rows of slices(messages)) await this.#db.insertInto('exchange_messages').values(rows).execute()
  }
}

function messageRows(exchangeId: string, messages: readonly Message[]): MessageRow[] {
  return messages.map(({ role, content, toolName }, position) => ({
    exchange_id: exchangeId,
    position,
    role,
    content,
    tool_name: toolName ?? null,
  }))
}

function* slices<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += ROWS) yield items.slice(at, at + ROWS)
}
