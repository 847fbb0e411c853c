import type { Conversations } from '../conversation-memory/conversations.ts'

/** What an id names that may be a conversation's or an exchange's; an exchange's when it is neither's. */
export async function conversationOrExchange(
  conversations: Conversations,
  typed: string,
): Promise<{ conversationId: string } | { exchangeId: string }> {
  const conversationId = await conversations.ids.whole('conversation', typed)
  if (await conversations.history.conversation(conversationId)) return { conversationId }
  return { exchangeId: await conversations.ids.whole('exchange', typed) }
}
