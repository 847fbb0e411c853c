import { RalphError } from '../errors.ts'
import type { ExchangeRow } from '../storage/tables.ts'
import {
  type ConversationFacts,
  EXCHANGE_CAPS,
  type Message,
  type NewExchange,
  type RestoredExchange,
  storable,
} from './record.ts'

/** An exchange with everything in its final, storable form. */
export interface PreparedExchange extends Required<Pick<NewExchange, 'userMessage' | 'assistantMessage'>> {
  conversationId: string
  id: string | undefined
  status: ExchangeRow['status']
  startedAt: number | null
  completedAt: number | null
  messages: readonly Message[]
  /** Its id is unique over all conversations: under another one it is a copy of the same exchange. */
  uniqueId: boolean
  facts: ConversationFacts
  /** What came along, e.g. from an export. */
  restored?: RestoredExchange
}

export function prepareExchange(exchange: NewExchange, facts: ConversationFacts): PreparedExchange {
  const userMessage = storable(exchange.userMessage)
  const assistantMessage = storable(exchange.assistantMessage)
  if (userMessage.trim() === '' && assistantMessage.trim() === '') {
    throw new RalphError('invalid_input', 'an exchange needs a user message or an answer')
  }
  return {
    conversationId: exchange.conversationId,
    id: exchange.id,
    userMessage,
    assistantMessage,
    status: exchange.status ?? 'completed',
    startedAt: exchange.startedAt?.getTime() ?? null,
    completedAt: exchange.completedAt?.getTime() ?? exchange.startedAt?.getTime() ?? null,
    messages: between(exchange.messages ?? [], userMessage, assistantMessage),
    uniqueId: exchange.uniqueId ?? false,
    facts,
  }
}

/** The steps in between: the user's message and the answer are kept once, in the exchange itself. */
function between(messages: readonly Message[], userMessage: string, answer: string): Message[] {
  const steps = messages.slice(0, EXCHANGE_CAPS.messagesPerExchange).map((message) => ({
    ...message,
    content: storable(
      message.content,
      message.role.startsWith('tool') ? EXCHANGE_CAPS.toolText : EXCHANGE_CAPS.message,
    ),
  }))
  if (steps[0]?.role === 'user' && steps[0].content === userMessage) steps.shift()
  const last = steps.at(-1)
  if (last?.role === 'assistant' && last.content === answer) steps.pop()
  return steps
}
