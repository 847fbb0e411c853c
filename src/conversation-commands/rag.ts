import type { RetrievalStatus } from '../conversation-memory/status.ts'
import { UsageError } from '../errors.ts'
import { ago } from '../text/ago.ts'
import { snakeKey } from '../text/case.ts'
import { plural } from '../text/plural.ts'
import { type CommandResult, type ConversationCommand, said } from './command.ts'
import { conversationOrExchange } from './typed-id.ts'

const status: ConversationCommand = {
  name: 'rag status',
  byDefault: true,
  description: 'whether retrieval is on, what there is to be found, and how the last one went',
  examples: [''],
  run: async ({ conversations }) => statusResult(await conversations.retrievalStatus()),
}

const turn = (name: 'on' | 'off', description: string): ConversationCommand => ({
  name: `rag ${name}`,
  forPeople: 'switch retrieval',
  description,
  examples: [''],
  async run({ conversations }) {
    await conversations.settings.write('ragEnabled', name === 'on')
    return statusResult(await conversations.retrievalStatus())
  },
})

function statusResult(now: RetrievalStatus): CommandResult {
  const { enabled, history, embeddings, settings, lastRetrieval: last } = now
  const vectors = embeddings.conversation.embedded + embeddings.exchange.embedded
  const lines = [
    `Retrieval: ${enabled ? 'ON' : 'OFF'}`,
    '',
    `History: ${plural(history.conversations, 'conversation')}, ${plural(history.exchanges, 'exchange')}`,
    `Embedded: ${plural(embeddings.conversation.embedded, 'conversation summary', 'conversation summaries')}, ${plural(embeddings.exchange.embedded, 'exchange')} (${plural(vectors, 'vector')})`,
    '',
    `Conversations per query: ${settings.ragConversationLimit}`,
    `Exchanges per conversation: ${settings.ragExchangeLimitPerConversation}`,
    `Least similarity: ${settings.ragMinSimilarity.toFixed(2)}`,
    ...(settings.ragOnlyTags.length > 0 ? [`Only with a tag of: ${settings.ragOnlyTags.join(', ')}`] : []),
    ...(settings.ragNeverTags.length > 0 ? [`Never with a tag of: ${settings.ragNeverTags.join(', ')}`] : []),
    '',
    last
      ? `Last retrieval: ${ago(last.at, new Date())}, ${plural(last.conversations, 'conversation')}, ${plural(last.exchanges, 'exchange')}, ${last.tookMs} ms`
      : 'Last retrieval: none yet',
  ]
  return said(now, lines.join('\n'))
}

const config: ConversationCommand = {
  name: 'rag config',
  description: 'all settings of conversation memory',
  examples: [''],
  async run({ conversations }) {
    const settings = await conversations.settings.read()
    const lines = Object.entries(settings).map(([name, value]) => `${snakeKey(name)}: ${shown(value)}`)
    return { ...said({ settings }, lines.join('\n')), remark: 'Change one: rag set rag_conversation_limit 5' }
  },
}

const set: ConversationCommand = {
  name: 'rag set',
  forPeople: 'change settings of conversation memory',
  arguments: '<key> <value>',
  description: 'change a setting, for all processes',
  examples: ['rag_conversation_limit 5'],
  async run({ conversations }, { words: [key, given] }) {
    const { name, value } = await conversations.settings.writeText(key!, given!)
    conversations.workers.signal()
    return said({ setting: snakeKey(name), value }, `${snakeKey(name)} is now ${shown(value)}`)
  },
}

function shown(value: boolean | number | readonly string[]): string {
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value)
}

const tags: ConversationCommand = {
  name: 'rag tags',
  forPeople: ({ words }) => (words.length > 0 ? 'choose which conversations are shown' : undefined),
  arguments: '[only|never|any] [tags...]',
  description: 'which conversations are shown by themselves: only those with these tags, never those, or any',
  examples: ['', 'only work', 'never private draft', 'any'],
  async run({ conversations }, { words: [which, ...names] }) {
    const { settings } = conversations
    if ((which === 'only' || which === 'never') && names.length === 0)
      throw new UsageError(
        `which tags? e.g. rag tags ${which} work`,
        'See those there are with: /tag list (ralph conversations tag list)',
      )
    if (which === 'any') {
      await settings.write('ragOnlyTags', [])
      await settings.write('ragNeverTags', [])
    } else if (which !== undefined)
      await settings.writeText(which === 'only' ? 'rag_only_tags' : 'rag_never_tags', names.join(','))
    const { ragOnlyTags: only, ragNeverTags: never } = await settings.read()
    const there = new Set((await conversations.tags.all()).map(({ tag }) => tag))
    const unknown = [...only, ...never].filter((tag) => !there.has(tag))
    const lines = [
      only.length > 0
        ? `Only conversations tagged ${only.join(' or ')}`
        : 'Conversations with any tag or none',
      ...(never.length > 0 ? [`never those tagged ${never.join(' or ')}`] : []),
    ]
    return {
      ...said({ only, never }, `${lines.join(', ')} are shown by themselves; a search finds all.`),
      ...(unknown.length > 0 && { remark: `No conversation has the tag ${unknown.join(', ')} yet.` }),
    }
  },
}

const vote = (name: 'upvote' | 'downvote', description: string): ConversationCommand => ({
  name: `rag ${name}`,
  forPeople: 'vote for a person',
  arguments: '<id>',
  description,
  examples: ['7f3k2m9q0abcd'],
  async run({ conversations }, { words: [typed] }) {
    const id = Object.values(await conversationOrExchange(conversations, typed!))[0]!
    const cast = await conversations.votes.cast(id, name === 'upvote' ? 1 : -1)
    return said(cast, `${cast.kind} ${cast.id}: ${cast.votes > 0 ? '+' : ''}${cast.votes}`)
  },
})

export const ragCommands = [
  status,
  turn('on', 'show related conversations before an answer'),
  turn('off', 'show none'),
  config,
  set,
  tags,
  vote('upvote', 'this conversation or exchange helped: it ranks higher'),
  vote('downvote', 'it did not help: it ranks lower'),
]
