import { spelled } from '../settings.ts'
import {
  ago,
  type CommandContext,
  type CommandResult,
  type ConversationCommand,
  count,
  wrongUsage,
} from './command.ts'

export const rag: ConversationCommand = {
  name: 'rag',
  usage: 'rag [on|off|config|set <key> <value>|upvote <id>|downvote <id>]',
  description: 'status and settings of retrieval, and feedback on what it found',
  examples: ['rag', 'rag set rag_conversation_limit 5', 'rag upvote 7f3k2m9q0abcd'],
  async run(args, context) {
    const [action, ...rest] = args
    const { settings } = context.conversations
    switch (action) {
      case undefined:
        return status(context)
      case 'on':
      case 'off':
        if (rest.length > 0) throw wrongUsage(rag)
        await settings.write('ragEnabled', action === 'on')
        return status(context)
      case 'config':
        return config(context)
      case 'set':
        return set(rest, context)
      case 'upvote':
      case 'downvote':
        return vote(action, rest, context)
      default:
        throw wrongUsage(rag, `"${action}" is not something rag can do`)
    }
  },
}

async function status({ conversations }: CommandContext): Promise<CommandResult> {
  const settings = await conversations.settings.read()
  const embeddings = await conversations.workers.embeddings()
  const history = await conversations.history.counts()
  const last = await conversations.lastRetrieval()
  const vectors = embeddings.conversation.embedded + embeddings.exchange.embedded
  return {
    text: [
      `Retrieval: ${settings.ragEnabled ? 'ON' : 'OFF'}`,
      '',
      `History: ${count(history.conversations, 'conversation')}, ${count(history.exchanges, 'exchange')}`,
      `Embedded: ${embeddings.conversation.embedded.toLocaleString('en')} conversation summaries, ${embeddings.exchange.embedded.toLocaleString('en')} exchanges (${count(vectors, 'vector')})`,
      '',
      `Conversations per query: ${settings.ragConversationLimit}`,
      `Exchanges per conversation: ${settings.ragExchangeLimitPerConversation}`,
      `Least similarity: ${settings.ragMinSimilarity.toFixed(2)}`,
      '',
      last
        ? `Last retrieval: ${ago(last.at, new Date())}, ${count(last.conversations, 'conversation')}, ${count(last.exchanges, 'exchange')}, ${last.tookMs} ms`
        : 'Last retrieval: none yet',
    ].join('\n'),
    data: { enabled: settings.ragEnabled, history, embeddings, settings, lastRetrieval: last ?? null },
  }
}

async function config({ conversations }: CommandContext): Promise<CommandResult> {
  const settings = await conversations.settings.read()
  const lines = Object.entries(settings).map(([name, value]) => `  ${spelled(name)}: ${value}`)
  return {
    text: [
      'Settings of conversation memory:',
      ...lines,
      '',
      'Change one: rag set rag_conversation_limit 5',
    ].join('\n'),
    data: { settings },
  }
}

async function set(args: readonly string[], { conversations }: CommandContext): Promise<CommandResult> {
  const [key, value, ...rest] = args
  if (key === undefined || value === undefined || rest.length > 0)
    throw wrongUsage(rag, 'set needs a key and a value')
  const { name, value: understood } = await conversations.settings.writeText(key, value)
  conversations.workers.signal()
  return {
    text: `${spelled(name)} is now ${understood}`,
    data: { setting: spelled(name), value: understood },
  }
}

async function vote(
  action: 'upvote' | 'downvote',
  args: readonly string[],
  { conversations }: CommandContext,
): Promise<CommandResult> {
  const [id, ...rest] = args
  if (id === undefined || rest.length > 0)
    throw wrongUsage(rag, `${action} needs the id of a conversation or exchange`)
  const { kind, votes } = await conversations.votes.cast(id, action === 'upvote' ? 1 : -1)
  return { text: `${kind} ${id}: ${votes > 0 ? '+' : ''}${votes}`, data: { id, kind, votes } }
}
