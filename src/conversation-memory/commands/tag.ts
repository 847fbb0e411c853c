import {
  type CommandContext,
  type CommandResult,
  type ConversationCommand,
  count,
  wrongUsage,
} from './command.ts'

export const tag: ConversationCommand = {
  name: 'tag',
  usage:
    'tag add <tag> [<conversation id>] | tag remove <tag> [<conversation id>] | tag list [<conversation id>]',
  description: 'tag a conversation, or list the tags',
  examples: ['tag add debugging', 'tag list'],
  async run(args, context) {
    const [action, ...rest] = args
    if (action === 'list' || action === undefined) return list(context)
    if (action !== 'add' && action !== 'remove')
      throw wrongUsage(tag, `"${action}" is not something tag can do`)
    const [name, id = context.conversationId] = rest
    if (name === undefined) throw wrongUsage(tag, `${action} needs a tag`)
    if (id === undefined) throw wrongUsage(tag, 'there is no current conversation: give the id of one')
    const { tags: all } = context.conversations
    const tags = await (action === 'add' ? all.add(id, name) : all.remove(id, name))
    return { text: `Tags of ${id}: ${tags.join(', ') || 'none'}`, data: { conversationId: id, tags } }
  },
}

async function list({ conversations }: CommandContext): Promise<CommandResult> {
  const tags = await conversations.tags.all()
  const lines = tags.map((one) => `  ${one.tag} (${count(one.conversations, 'conversation')})`)
  return { text: lines.length ? ['Tags:', ...lines].join('\n') : 'No tags yet.', data: { tags } }
}
