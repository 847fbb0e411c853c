import type { Person } from '../identity/person.ts'
import type { ConversationRow, ExchangeRow, MessageRow } from '../storage/tables.ts'
import type { PreparedExchange } from './prepare.ts'
import { EXCHANGE_CAPS, type Message, storable, titleFrom } from './record.ts'

/** Rows of what is written for the first time. */

/** A conversation that begins with this exchange, before it is counted. */
export function newConversation(person: Person, exchange: PreparedExchange): ConversationRow {
  const { conversationId, facts, userMessage, startedAt } = exchange
  return {
    id: conversationId,
    person: person.id,
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
}

export function newExchange(
  id: string,
  exchange: PreparedExchange,
  { position, isSummarised, revision }: { position: number; isSummarised: boolean; revision: number },
): ExchangeRow {
  return {
    id,
    conversation_id: exchange.conversationId,
    position,
    user_message: exchange.userMessage,
    assistant_message: exchange.assistantMessage,
    status: exchange.status,
    started_at: exchange.startedAt,
    completed_at: exchange.completedAt,
    summarised: isSummarised ? 1 : 0,
    summary_due: exchange.status === 'open' || isSummarised ? 0 : 1,
    revision,
  }
}

export function messageRows(exchangeId: string, messages: readonly Message[]): MessageRow[] {
  return messages.map(({ role, content, toolName }, position) => ({
    exchange_id: exchangeId,
    position,
    role,
    content,
    tool_name: toolName ?? null,
  }))
}
