import { plural } from '../text/plural.ts'
import { type CommandContext, type CommandResult, type ConversationCommand, said } from './command.ts'
import { UsageError } from './usage-error.ts'

const change = (name: 'add' | 'remove', description: string): ConversationCommand => ({
  name: `conversations tag ${name}`,
  arguments: '<tag> [conversation]',
  description,
  examples: ['deployment 3f2a81b0'],
  async run({ conversations: { tags }, conversationId }, { words: [tag, id = conversationId] }) {
    if (id === undefined) throw new UsageError('which conversation? Give its id behind the tag')
    return tagsOf(id, await tags[name](id, tag!))
  },
})

const list: ConversationCommand = {
  name: 'conversations tag list',
  byDefault: true,
  arguments: '[conversation]',
  description: 'the tags of a conversation, or all there are',
  examples: ['', '3f2a81b0'],
  async run({ conversations }, { words: [id] }) {
    return id === undefined ? all(conversations) : tagsOf(id, await conversations.tags.of(id))
  },
}

async function all({ tags }: CommandContext['conversations']): Promise<CommandResult> {
  const counts = await tags.all()
  const lines = counts.map(({ tag, conversations }) => `${tag} (${plural(conversations, 'conversation')})`)
  return {
    ...said({ tags: counts }, lines.join('\n')),
    ...(lines.length === 0 && { remark: 'No tags yet.' }),
  }
}

function tagsOf(id: string, tags: readonly string[]): CommandResult {
  return said({ conversationId: id, tags }, `Tags of ${id}: ${tags.join(', ') || 'none'}`)
}

export const tagCommands = [
  change('add', 'tag a conversation; in the chat without an id: this one'),
  change('remove', 'take a tag away'),
  list,
]
