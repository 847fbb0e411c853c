import { UsageError } from '../errors.ts'
import { plural } from '../text/plural.ts'
import { shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import { type CommandContext, type CommandResult, type ConversationCommand, said } from './command.ts'

const TITLE_CHARACTERS = 70

const share: ConversationCommand = {
  name: 'conversations share',
  forPeople: 'share conversations',
  arguments: '[id...]',
  options: [{ flags: '--all', description: 'all of your own' }],
  description:
    'let everybody who uses the same database read conversations; in the chat without an id: this one',
  examples: ['3f2a81b0', '--all'],
  asks: true,
  async run(context, { words, options }) {
    const { sharing } = context.conversations
    if (options['all'] !== true) return shared(context, await meant(context, words, 'share'))
    const ids = await sharing.own(false)
    const question = `This lets everybody who uses this database read ${plural(ids.length, 'conversation')} of yours.`
    return {
      ...said({ shares: ids.length }, question),
      ...(ids.length > 0 && { confirm: { question, go: () => shared(context, ids) } }),
      ...(ids.length === 0 && said({ shared: [] }, 'All of yours are shared already, or there are none.')),
    }
  },
}

const unshare: ConversationCommand = {
  name: 'conversations unshare',
  forPeople: 'take back what is shared',
  arguments: '[id...]',
  options: [{ flags: '--all', description: 'all of your own' }],
  description: 'keep conversations to yourself again; they go from the index of the others',
  examples: ['3f2a81b0', '--all'],
  async run(context, { words, options }) {
    const { sharing } = context.conversations
    const ids = options['all'] === true ? await sharing.own(true) : await meant(context, words, 'unshare')
    const changed = await sharing.unshare(ids)
    const text = changed.map(({ id, title }) => `Yours alone again: ${named(id, title)}`)
    return said({ unshared: changed.map(({ id }) => id) }, text.join('\n') || 'Nothing of that was shared.')
  },
}

async function shared({ conversations }: CommandContext, ids: readonly string[]): Promise<CommandResult> {
  const changed = await conversations.sharing.share(ids)
  const text = changed.map(({ id, title }) => `Shared: ${named(id, title)}`)
  return said({ shared: changed.map(({ id }) => id) }, text.join('\n') || 'All of that is shared already.')
}

async function meant(
  { conversations, conversationId }: CommandContext,
  words: readonly string[],
  deed: string,
): Promise<string[]> {
  const typed = words.length > 0 ? words : conversationId === undefined ? [] : [conversationId]
  if (typed.length === 0)
    throw new UsageError(`which conversation? Give its id: ralph conversations ${deed} ID`)
  const ids: string[] = []
  for (const one of typed) ids.push((await conversations.ids.conversation(one)).id)
  return ids
}

function named(id: string, title: string): string {
  return `${shortId('conversation', id)} ${oneLine(title, TITLE_CHARACTERS)}`
}

export const shareCommands = [share, unshare]
