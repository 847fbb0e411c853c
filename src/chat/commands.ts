import { ago, type CommandResult, count } from '../conversation-memory/commands/command.ts'
import { CONVERSATION_COMMANDS, runConversationCommand } from '../conversation-memory/commands/commands.ts'
import type { Conversations } from '../conversation-memory/conversations.ts'
import { RalphError } from '../errors.ts'
import { words } from './input.ts'
import { ChatSession, HOW_TO_CONFIGURE } from './session.ts'

/** What a slash command leads to. */
export type SlashResult =
  | { kind: 'said'; result: CommandResult }
  /** From here on another conversation is current. */
  | { kind: 'switched'; session: ChatSession; text: string }
  | { kind: 'quit' }

export interface SlashContext {
  conversations: Conversations
  session: ChatSession
  project: string | undefined
  onProgress: (line: string) => void
  signal: AbortSignal
}

/** Commands of the chat itself; all others are those of the shell. */
const OWN: readonly { usage: string; description: string }[] = [
  { usage: '/help', description: 'this list' },
  { usage: '/new', description: 'begin a new conversation' },
  { usage: '/list', description: 'the latest conversations' },
  { usage: '/resume <id>', description: 'go on with an earlier conversation' },
  { usage: '/context', description: 'what memory put before your last question' },
  { usage: '/model', description: 'which model answers' },
  { usage: '/quit', description: 'leave (also Ctrl-D)' },
]

export async function runSlash(line: string, context: SlashContext): Promise<SlashResult> {
  const [name = '', ...args] = words(line.slice(1))
  const { conversations, session, project, onProgress, signal } = context
  switch (name) {
    case '':
    case 'help':
      return said(helpText())
    case 'quit':
    case 'exit':
      return { kind: 'quit' }
    case 'new': {
      await session.close()
      const fresh = new ChatSession({ conversations, project })
      return { kind: 'switched', session: fresh, text: `New conversation ${fresh.conversationId}` }
    }
    case 'resume':
      return resume(args[0], context)
    case 'list':
    case 'conversations':
      return said(await listText(conversations))
    case 'context':
      return said(
        session.lastContext ?? 'Nothing: no past conversation was strong enough, or nothing was asked yet.',
      )
    case 'model':
      return said(session.model ? `${session.model.id} answers.` : `No model answers.\n${HOW_TO_CONFIGURE}`)
  }
  if (!CONVERSATION_COMMANDS.some((command) => command.name === name)) {
    throw new RalphError('invalid_input', `there is no command /${name}`, {
      hint: 'See all of them with: /help',
    })
  }
  const { conversationId } = session
  return {
    kind: 'said',
    result: await runConversationCommand(name, args, { conversations, conversationId, onProgress, signal }),
  }
}

async function resume(id: string | undefined, context: SlashContext): Promise<SlashResult> {
  const conversation = id === undefined ? undefined : await context.conversations.history.conversation(id)
  if (!conversation) {
    throw new RalphError(
      'not_found',
      id === undefined ? 'resume needs an id' : `there is no conversation ${id}`,
      {
        hint: 'See the ids with: /list',
      },
    )
  }
  const session = new ChatSession({ ...context, conversationId: conversation.id })
  const exchanges = await session.resume()
  await context.session.close()
  return {
    kind: 'switched',
    session,
    text: `Going on with "${conversation.title}" (${count(exchanges, 'exchange')})`,
  }
}

function helpText(): string {
  const all = [
    ...CONVERSATION_COMMANDS.map(({ usage, description }) => ({
      usage: `/${usage.split(' | ')[0]}`,
      description,
    })),
    ...OWN,
  ]
  const width = Math.min(44, Math.max(...all.map(({ usage }) => usage.length)))
  return [
    ...all.map(({ usage, description }) =>
      usage.length > width
        ? `  ${usage}\n  ${' '.repeat(width)}  ${description}`
        : `  ${usage.padEnd(width)}  ${description}`,
    ),
    '',
    'Several lines: end a line with \\, or put the text between two lines of """. Ctrl-C stops an answer.',
  ].join('\n')
}

async function listText(conversations: Conversations): Promise<string> {
  const latest = await conversations.history.list({ limit: 15 })
  if (latest.length === 0) return 'No conversations yet. Bring in those with Claude Code: /import claude-code'
  return latest
    .map(({ id, title, updatedAt, exchangeCount }) => {
      const when = updatedAt ? `, ${ago(updatedAt, new Date())}` : ''
      return `  ${id}  ${title} (${count(exchangeCount, 'exchange')}${when})`
    })
    .join('\n')
}

function said(text: string): SlashResult {
  return { kind: 'said', result: { text, data: {} } }
}
