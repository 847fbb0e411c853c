import type { Person } from '../identity/person.ts'
import type { Queries } from '../storage/storage.ts'
import type { ConversationRow, MessageRow } from '../storage/tables.ts'
import { exchangeRows, type SummarisedRow } from './exchange-rows.ts'
import type { Conversation, ConversationSource, Exchange, Message } from './record.ts'
import { mayRead } from './whose.ts'

/** Conversations that a person may read, with whose they are and how that person voted. */
export function readableConversations(db: Queries, person: Person) {
  return db
    .selectFrom('conversations')
    .leftJoin('people as owner', 'owner.id', 'conversations.person')
    .leftJoin('conversation_votes as vote', (join) =>
      join
        .onRef('vote.item_id', '=', 'conversations.id')
        .on('vote.person', '=', person.id)
        .on('vote.kind', '=', 'conversation'),
    )
    .where(mayRead(person))
    .selectAll('conversations')
    .select(['owner.name as owner', 'vote.votes'])
}

/** The same of exchanges. */
export function readableExchanges(db: Queries, person: Person) {
  return exchangeRows(db, person)
    .leftJoin('conversation_votes as vote', (join) =>
      join
        .onRef('vote.item_id', '=', 'exchanges.id')
        .on('vote.person', '=', person.id)
        .on('vote.kind', '=', 'exchange'),
    )
    .select('vote.votes')
}

type VotedConversation = ConversationRow & { owner: string | null; votes: number | null }

export function toConversation(row: VotedConversation, reader: Person): Conversation {
  return {
    id: row.id,
    title: row.title ?? 'Untitled',
    source: row.source as ConversationSource,
    exchangeCount: row.exchange_count,
    votes: row.votes ?? 0,
    ...(row.project !== null && { project: row.project }),
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(row.started_at !== null && { startedAt: new Date(row.started_at) }),
    ...(row.updated_at !== null && { updatedAt: new Date(row.updated_at) }),
    ...(row.summary !== null && { summary: row.summary }),
    ...(row.shared === 1 && { shared: true }),
    ...(row.person !== reader.id && { from: row.owner ?? 'somebody' }),
  }
}

export function storedMessage({ role, content, tool_name }: MessageRow): Message {
  return { role: role as Message['role'], content, ...(tool_name && { toolName: tool_name }) }
}

export function toExchange(row: SummarisedRow & { votes: number | null }): Exchange {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    position: row.position,
    userMessage: row.user_message,
    assistantMessage: row.assistant_message,
    status: row.status,
    votes: row.votes ?? 0,
    ...(row.started_at !== null && { startedAt: new Date(row.started_at) }),
    ...(row.completed_at !== null && { completedAt: new Date(row.completed_at) }),
    ...(row.summary !== null && { summary: row.summary }),
  }
}
