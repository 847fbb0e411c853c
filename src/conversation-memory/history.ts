import { RalphError } from '../errors.ts'
import { isFolderOfProject } from '../files/project-path.ts'
import type { Person } from '../identity/person.ts'
import { ownIds } from '../storage/own-ids.ts'
import { nextRevisions } from '../storage/revisions.ts'
import type { Storage, StorageTransaction } from '../storage/storage.ts'
import type { VoteRow } from '../storage/tables.ts'
import {
  readableConversations,
  readableExchanges,
  storedMessage,
  toConversation,
  toExchange,
} from './readable-rows.ts'
import { type Conversation, EXCHANGE_CAPS, type Exchange, type Message, storable } from './record.ts'
import { withdraw } from './sharing.ts'
import { normalTag } from './tags.ts'
import { isOwn, mayRead } from './whose.ts'

export interface ConversationPage {
  /** Newest first: pass the last conversation of a page to get the next one. */
  after?: Pick<Conversation, 'id' | 'updatedAt'>
  limit?: number
  tag?: string
  /** Only those that took place in this folder or below it. */
  within?: string
  /** Without what others have shared. */
  own?: boolean
}

/** What was said, as it was said, as far as a person may read it. `write-exchanges.ts` writes exchanges. */
export class History {
  readonly #storage: Storage
  readonly #person: Person

  /** @internal */
  constructor(storage: Storage, person: Person) {
    this.#storage = storage
    this.#person = person
  }

  async list({ after, limit = 50, tag, within, own }: ConversationPage = {}): Promise<Conversation[]> {
    let query = readableConversations(this.#storage.db, this.#person)
    if (own) query = query.where(isOwn(this.#person))
    if (tag !== undefined) {
      query = query.where('conversations.id', 'in', (inner) =>
        inner.selectFrom('conversation_tags').select('conversation_id').where('tag', '=', normalTag(tag)),
      )
    }
    if (within !== undefined) {
      const folders = await this.#foldersWithin(within)
      if (folders.length === 0) return []
      query = query.where('project', 'in', folders)
    }
    if (after) {
      const time = after.updatedAt?.getTime() ?? 0
      query = query.where((where) =>
        where.or([
          where(where.fn.coalesce('updated_at', where.lit(0)), '<', time),
          where.and([
            where(where.fn.coalesce('updated_at', where.lit(0)), '=', time),
            where('conversations.id', '>', after.id),
          ]),
        ]),
      )
    }
    const rows = await query
      .orderBy((order) => order.fn.coalesce('updated_at', order.lit(0)), 'desc')
      .orderBy('conversations.id')
      .limit(limit)
      .execute()
    return rows.map((row) => toConversation(row, this.#person))
  }

  /** As sessions have spelled them: through a link, or in other letters where the disk does not tell them apart. */
  async #foldersWithin(folder: string): Promise<string[]> {
    const rows = await this.#storage.db
      .selectFrom('conversations')
      .select('project')
      .distinct()
      .where(mayRead(this.#person))
      .execute()
    return rows.flatMap(({ project }) => (project && isFolderOfProject(project, folder) ? [project] : []))
  }

  async conversation(id: string): Promise<Conversation | undefined> {
    return (await this.conversations([id])).get(id)
  }

  async conversations(ids: readonly string[]): Promise<Map<string, Conversation>> {
    if (ids.length === 0) return new Map()
    const rows = await readableConversations(this.#storage.db, this.#person)
      .where('conversations.id', 'in', [...ids])
      .execute()
    return new Map(rows.map((row) => [row.id, toConversation(row, this.#person)]))
  }

  /** The id under which each of the conversations is this person's, where somebody else may have that id. */
  ownIds(ids: readonly string[]): Promise<Map<string, string>> {
    return ownIds(this.#storage.db, 'conversations', this.#person.id, ids)
  }

  async exchange(id: string): Promise<Exchange | undefined> {
    return (await this.exchanges([id])).get(id)
  }

  async exchanges(ids: readonly string[]): Promise<Map<string, Exchange>> {
    if (ids.length === 0) return new Map()
    const rows = await readableExchanges(this.#storage.db, this.#person)
      .where('exchanges.id', 'in', [...ids])
      .execute()
    return new Map(rows.map((row) => [row.id, toExchange(row)]))
  }

  /** In order, page by page: pass the position to go on from. */
  async exchangesOf(conversationId: string, { from = 0, limit = 1_000 } = {}): Promise<Exchange[]> {
    const rows = await readableExchanges(this.#storage.db, this.#person)
      .where('exchanges.conversation_id', '=', conversationId)
      .where('exchanges.position', '>=', from)
      .orderBy('exchanges.position')
      .limit(limit)
      .execute()
    return rows.map(toExchange)
  }

  /** All that was said and done in an exchange, the user's message first, the answer last. */
  async transcript(exchange: Exchange): Promise<Message[]> {
    const steps = (await this.steps([exchange.id])).get(exchange.id) ?? []
    return [
      { role: 'user', content: exchange.userMessage },
      ...steps,
      ...(exchange.assistantMessage
        ? [{ role: 'assistant' as const, content: exchange.assistantMessage }]
        : []),
    ]
  }

  /** Those of the exchanges that there are, and that this person may read. */
  async readable(exchangeIds: readonly string[]): Promise<string[]> {
    if (exchangeIds.length === 0) return []
    const rows = await this.#storage.db
      .selectFrom('exchanges')
      .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
      .select('exchanges.id')
      .where(mayRead(this.#person))
      .where('exchanges.id', 'in', [...exchangeIds])
      .execute()
    return rows.map(({ id }) => id)
  }

  /** What happened between the user's message and the answer, by exchange. */
  async steps(exchangeIds: readonly string[]): Promise<Map<string, Message[]>> {
    const found = new Map<string, Message[]>()
    const readable = await this.readable(exchangeIds)
    if (readable.length === 0) return found
    const rows = await this.#storage.db
      .selectFrom('exchange_messages')
      .selectAll()
      .where('exchange_id', 'in', readable)
      .orderBy('exchange_id')
      .orderBy('position')
      .execute()
    for (const row of rows) {
      const list = found.get(row.exchange_id)
      if (list) list.push(storedMessage(row))
      else found.set(row.exchange_id, [storedMessage(row)])
    }
    return found
  }

  /** Of one exchange, in order, page by page: pass how many were read before. */
  async stepsOf(exchangeId: string, { from = 0, limit = 100 } = {}): Promise<Message[]> {
    if ((await this.readable([exchangeId])).length === 0) return []
    const rows = await this.#storage.db
      .selectFrom('exchange_messages')
      .selectAll()
      .where('exchange_id', '=', exchangeId)
      .orderBy('position')
      .offset(from)
      .limit(limit)
      .execute()
    return rows.map(storedMessage)
  }

  /** By exchange, for those that have any. */
  async countSteps(exchangeIds: readonly string[]): Promise<Map<string, number>> {
    const readable = await this.readable(exchangeIds)
    if (readable.length === 0) return new Map()
    const rows = await this.#storage.db
      .selectFrom('exchange_messages')
      .select(['exchange_id', (count) => count.fn.countAll().as('steps')])
      .where('exchange_id', 'in', readable)
      .groupBy('exchange_id')
      .execute()
    return new Map(rows.map(({ exchange_id, steps }) => [exchange_id, Number(steps)]))
  }

  async counts(): Promise<{ conversations: number; exchanges: number }> {
    const { conversations, exchanges } = await this.#storage.db
      .selectFrom('conversations')
      .select(({ fn }) => [fn.countAll().as('conversations'), fn.sum('exchange_count').as('exchanges')])
      .where(mayRead(this.#person))
      .executeTakeFirstOrThrow()
    return { conversations: Number(conversations), exchanges: Number(exchanges ?? 0) }
  }

  async rename(conversationId: string, title: string): Promise<void> {
    await this.own(conversationId)
    await this.#storage.transaction(async (db) => {
      const revision = await nextRevisions(db, 1)
      await db
        .updateTable('conversations')
        .set({ title: storable(title, EXCHANGE_CAPS.title), revision })
        .where('id', '=', conversationId)
        .execute()
    })
  }

  /** Deletes a conversation with all that belongs to it. Returns its exchanges' ids, for the index to forget. */
  async remove(conversationId: string): Promise<string[]> {
    await this.own(conversationId)
    return this.#storage.transaction(async (db) => {
      const rows = await db
        .selectFrom('exchanges')
        .select('id')
        .where('conversation_id', '=', conversationId)
        .execute()
      await db.deleteFrom('conversations').where('id', '=', conversationId).execute()
      const ids = rows.map(({ id }) => id)
      await forgetVotes(db, 'conversation', [conversationId])
      await forgetVotes(db, 'exchange', ids)
      await withdraw(db, conversationId, ids)
      return ids
    })
  }

  /** Workers leave a conversation alone while somebody talks in it. A crashed chat lets go by itself. */
  async holdOpen(conversationId: string, until: Date | undefined): Promise<void> {
    await this.#storage.db
      .updateTable('conversations')
      .set({ in_use_until: until?.getTime() ?? 0 })
      .where('id', '=', conversationId)
      .where(isOwn(this.#person))
      .execute()
  }

  /** The conversation; an error that says where to look when there is none. */
  async existing(conversationId: string): Promise<Conversation> {
    const conversation = await this.conversation(conversationId)
    if (conversation) return conversation
    throw new RalphError('not_found', `there is no conversation ${conversationId}`, {
      hint: 'See the ids with: ralph conversations list',
    })
  }

  /** The same, for whoever changes it: what others share can only be read. */
  async own(conversationId: string): Promise<Conversation> {
    const conversation = await this.existing(conversationId)
    if (conversation.from === undefined) return conversation
    throw new RalphError('invalid_input', `conversation ${conversationId} is ${conversation.from}'s`, {
      hint: `What others share can be read and voted on; only ${conversation.from} can change it.`,
    })
  }
}

async function forgetVotes(
  db: StorageTransaction,
  kind: VoteRow['kind'],
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const votes = db.deleteFrom('conversation_votes').where('kind', '=', kind)
  await votes.where('item_id', 'in', [...ids]).execute()
}
