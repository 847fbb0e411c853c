import { UsageError } from '../errors.ts'
import { plural } from '../text/plural.ts'
import { type CommandContext, type CommandResult, type ConversationCommand, said } from './command.ts'

const change = (name: 'add' | 'remove', description: string): ConversationCommand => ({
  name: `conversations tag ${name}`,
  arguments: '<tag> [conversation]',
  forPeople: 'tag conversations',
  description,
  examples: ['deployment 3f2a81b0'],
  async run({ conversations, conversationId }, { words: [tag, typed = conversationId] }) {
    if (typed === undefined) throw new UsageError('which conversation? Give its id behind the tag')
    const id = await conversations.ids.whole('conversation', typed)
    return tagsOf(id, await conversations.tags[name](id, tag!))
  },
})

const list: ConversationCommand = {
  name: 'conversations tag list',
  byDefault: true,
  arguments: '[conversation]',
  description: 'the tags of a conversation, or all there are',
  examples: ['', '3f2a81b0'],
  async run({ conversations }, { words: [typed] }) {
    if (typed === undefined) return all(conversations)
    const id = await conversations.ids.whole('conversation', typed)
    const given = await conversations.tags.given(id)
    const names = given.map(({ tag, automatic }) => (automatic ? `${tag} (automatic)` : tag))
    const automatic = given.filter((one) => one.automatic).map(({ tag }) => tag)
    const data = { conversationId: id, tags: given.map(({ tag }) => tag), automatic }
    return said(data, `Tags of ${id}: ${names.join(', ') || 'none'}`)
  },
}

async function all({ tags }: CommandContext['conversations']): Promise<CommandResult> {
  const counts = await tags.all()
  const lines = counts.map(({ tag, conversations, automatic }) => {
    const how =
      automatic === 0 ? '' : automatic === conversations ? ', automatic' : `, ${automatic} automatic`
    return `${tag} (${plural(conversations, 'conversation')}${how})`
  })
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
