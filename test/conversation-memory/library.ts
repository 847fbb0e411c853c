import type { Conversations } from '../../src/conversation-memory/conversations.ts'
import { openTestConversations } from './open.ts'

export const NOW = new Date('2026-05-20T12:00:00Z')

export interface Said {
  id?: string
  user: string
  assistant: string
  at?: string
}

export async function converse(
  conversations: Conversations,
  conversationId: string,
  said: readonly Said[],
  title?: string,
) {
  for (const [position, { id, user, assistant, at }] of said.entries()) {
    await conversations.record(
      {
        conversationId,
        id: id ?? `${conversationId}-${position}`,
        userMessage: user,
        assistantMessage: assistant,
        ...(at && { startedAt: new Date(at) }),
      },
      { source: 'chat', ...(title && { title }) },
    )
  }
}

export const TIMEOUT: Said[] = [
  {
    user: 'The API client stalls after thirty seconds',
    assistant: 'The socket timeout was too short.',
    at: '2026-03-10T09:00:00Z',
  },
  {
    user: 'How do I change it?',
    assistant: 'Set SO_RCVTIMEO to 120 seconds in net.ts.',
    at: '2026-03-10T09:05:00Z',
  },
]
export const GARDEN: Said[] = [
  {
    user: 'Which tomatoes grow in shade?',
    assistant: 'Cherry tomatoes cope best.',
    at: '2026-05-18T09:00:00Z',
  },
  { user: 'And roses?', assistant: 'Roses want sun.', at: '2026-05-18T09:10:00Z' },
]

export async function library(more = {}) {
  const opened = await openTestConversations({ clock: () => NOW, ...more })
  await converse(opened.conversations, 'timeouts', TIMEOUT, 'Debugging the API client')
  await converse(opened.conversations, 'garden', GARDEN, 'Garden plans')
  return opened
}
