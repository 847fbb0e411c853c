import { RalphError } from '../errors.ts'
import { isFolderOfProject } from '../files/project-path.ts'
import type { Storage } from '../storage/storage.ts'
import type { ConversationRow, MessageRow } from '../storage/tables.ts'
import { exchangeRows, type SummarisedRow } from './exchange-rows.ts'
import {
  type Conversation,
  type ConversationSource,
  EXCHANGE_CAPS,
  type Exchange,
  type Message,
  storable,
} from './record.ts'
import { nextRevisions } from './revisions.ts'
import { normalTag } from './tags.ts'

export interface ConversationPage {
  /** Newest first: pass the last conversation of a page to get the next one. */
  after?: Pick<Conversation, 'id' | 'updatedAt'>
  limit?: number
  tag?: string
  /** Only those that took place in this folder or below it. */
  within?: string
}

/** What was said, as it was said. `write-exchanges.ts` writes exchanges. */
export class History {
  readonly #storage: Storage

  /** @internal */
  constructor(storage: Storage) {
    this.#storage = storage
  }

  async list({ after, limit = 50, tag, within }: ConversationPage = {}): Promise<Conversation[]> {
    let query = this.#storage.db.selectFrom('conversations').selectAll('conversations')
    if (tag !== undefined) {
      query = query.where('id', 'in', (inner) =>
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
            where('id', '>', after.id),
          ]),
        ]),
      )
    }
    const rows = await query
      .orderBy((order) => order.fn.coalesce('updated_at', order.lit(0)), 'desc')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toConversation)
  }

  /** As sessions have spelled them: through a link, or in other letters where the disk does not tell them apart. */
  async #foldersWithin(folder: string): Promise<string[]> {
    const rows = await this.#storage.db.selectFrom('conversations').select('project').distinct().execute()
    return rows.flatMap(({ project }) => (project && isFolderOfProject(project, folder) ? [project] : []))
  }

  async conversation(id: string): Promise<Conversation | undefined> {
    const row = await this.#storage.db
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && toConversation(row)
  }

  async conversations(ids: readonly string[]): Promise<Map<string, Conversation>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#storage.db
      .selectFrom('conversations')
      .selectAll()
      .where('id', 'in', [...ids])
      .execute()
    return new Map(rows.map((row) => [row.id, toConversation(row)]))
  }

  async exchange(id: string): Promise<Exchange | undefined> {
    return (await this.exchanges([id])).get(id)
  }

  async exchanges(ids: readonly string[]): Promise<Map<string, Exchange>> {
    if (ids.length === 0) return new Map()
    const rows = await exchangeRows(this.#storage.db)
      .where('exchanges.id', 'in', [...ids])
      .execute()
    return new Map(rows.map((row) => [row.id, toExchange(row)]))
  }

  /** In order, page by page: pass the position to go on from. */
  async exchangesOf(conversationId: string, { from = 0, limit = 1_000 } = {}): Promise<Exchange[]> {
    const rows = await exchangeRows(this.#storage.db)
      .where('conversation_id', '=', conversationId)
      .where('position', '>=', from)
      .orderBy('position')
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

  /** What happened between the user's message and the answer, by exchange. */
  async steps(exchangeIds: readonly string[]): Promise<Map<string, Message[]>> {
    const found = new Map<string, Message[]>()
    if (exchangeIds.length === 0) return found
    const rows = await this.#storage.db
      .selectFrom('exchange_messages')
      .selectAll()
      .where('exchange_id', 'in', [...exchangeIds])
      .orderBy('exchange_id')
      .orderBy('position')
      .execute()
    for (const row of rows) {
      const list = found.get(row.exchange_id)
      if (list) list.push(toMessage(row))
      else found.set(row.exchange_id, [toMessage(row)])
    }
    return found
  }

  /** Of one exchange, in order, page by page: pass how many were read before. */
  async stepsOf(exchangeId: string, { from = 0, limit = 100 } = {}): Promise<Message[]> {
    const rows = await this.#storage.db
      .selectFrom('exchange_messages')
      .selectAll()
      .where('exchange_id', '=', exchangeId)
      .orderBy('position')
      .offset(from)
      .limit(limit)
      .execute()
    return rows.map(toMessage)
  }

  /** By exchange, for those that have any. */
  async countSteps(exchangeIds: readonly string[]): Promise<Map<string, number>> {
    if (exchangeIds.length === 0) return new Map()
    const rows = await this.#storage.db
      .selectFrom('exchange_messages')
      .select(['exchange_id', (count) => count.fn.countAll().as('steps')])
      .where('exchange_id', 'in', [...exchangeIds])
      .groupBy('exchange_id')
      .execute()
    return new Map(rows.map(({ exchange_id, steps }) => [exchange_id, Number(steps)]))
  }

  async counts(): Promise<{ conversations: number; exchanges: number }> {
    const { conversations, exchanges } = await this.#storage.db
      .selectNoFrom((select) => [
        select
          .selectFrom('conversations')
          .select((count) => count.fn.countAll().as('n'))
          .as('conversations'),
        select
          .selectFrom('exchanges')
          .select((count) => count.fn.countAll().as('n'))
          .as('exchanges'),
      ])
      .executeTakeFirstOrThrow()
    return { conversations: Number(conversations), exchanges: Number(exchanges) }
  }

  async rename(conversationId: string, title: string): Promise<void> {
    await this.existing(conversationId)
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
    await this.existing(conversationId)
    return this.#storage.transaction(async (db) => {
      const rows = await db
        .selectFrom('exchanges')
        .select('id')
        .where('conversation_id', '=', conversationId)
        .execute()
      await db.deleteFrom('conversations').where('id', '=', conversationId).execute()
      return rows.map(({ id }) => id)
    })
  }

  /** Workers leave a conversation alone while somebody talks in it. A crashed chat lets go by itself. */
  async holdOpen(conversationId: string, until: Date | undefined): Promise<void> {
    await this.#storage.db
      .updateTable('conversations')
      .set({ in_use_until: until?.getTime() ?? 0 })
      .where('id', '=', conversationId)
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
}

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    title: row.title ?? 'Untitled',
    source: row.source as ConversationSource,
    exchangeCount: row.exchange_count,
    votes: row.votes,
    ...(row.project !== null && { project: row.project }),
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(row.started_at !== null && { startedAt: new Date(row.started_at) }),
    ...(row.updated_at !== null && { updatedAt: new Date(row.updated_at) }),
    ...(row.summary !== null && { summary: row.summary }),
  }
}

function toMessage({ role, content, tool_name }: MessageRow): Message {
  return { role: role as Message['role'], content, ...(tool_name && { toolName: tool_name }) }
}

function toExchange(row: SummarisedRow): Exchange {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    position: row.position,
    userMessage: row.user_message,
    assistantMessage: row.assistant_message,
    status: row.status,
    votes: row.votes,
    ...(row.started_at !== null && { startedAt: new Date(row.started_at) }),
    ...(row.completed_at !== null && { completedAt: new Date(row.completed_at) }),
    ...(row.summary !== null && { summary: row.summary }),
  }
}
