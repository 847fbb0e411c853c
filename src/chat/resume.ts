import type { Exchange } from '../conversation-memory/record.ts'
import { plural } from '../text/plural.ts'
import { oneLine } from '../text/truncate.ts'
import { ChatSession, type ChatSessionOptions } from './session.ts'

export interface ResumedChat {
  session: ChatSession
  /** Which one it is, and how it ended. */
  text: string
}

const SHOWN_CHARACTERS = 300

/** Goes on with an earlier conversation, by its id or as much of it as tells it from others. */
export async function resumeChat(
  typed: string,
  { conversations, documents, project }: Omit<ChatSessionOptions, 'conversationId'>,
): Promise<ResumedChat> {
  const meant = await conversations.ids.conversation(typed)
  const { id, title, exchangeCount } = await conversations.history.own(meant.id)
  await conversations.closeAbandoned()
  const session = new ChatSession({ conversations, documents, project, conversationId: id })
  const last = await session.resume()
  const name = `Going on with "${title}" (${plural(exchangeCount, 'exchange')})`
  return { session, text: last ? `${name}\n${endOf(last)}` : name }
}

/** What was said last, so that one knows where one was. */
function endOf({ userMessage, assistantMessage, status }: Exchange): string {
  const answer = oneLine(assistantMessage, SHOWN_CHARACTERS)
  const remark = { completed: '', interrupted: '(broken off)', open: '(still being answered elsewhere)' }[
    status
  ]
  return [`> ${oneLine(userMessage, SHOWN_CHARACTERS)}`, [answer, remark].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join('\n')
}
