import type { Conversations } from '../conversation-memory/conversations.ts'
import { RalphError } from '../errors.ts'
import { plural } from '../text/plural.ts'
import { shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import { type CommandResult, type ConversationCommand, day, type Paint } from './command.ts'

type TopicList = Awaited<ReturnType<Conversations['topics']>>
type Topic = TopicList['topics'][number]

const TITLE_CHARACTERS = 80
const MOST_SHOWN = 10_000

export const clusters: ConversationCommand = {
  name: 'conversations clusters',
  arguments: '[topic...]',
  options: [
    { flags: '--limit <number>', description: 'how many topics (default: all)', value: 'count' },
    {
      flags: '--name-with-model',
      description:
        'have the configured model name those that are named by their words; counted as spend, asked once',
    },
    {
      flags: '--anew',
      description: 'find them anew, whatever they were called; what stays the same keeps its id',
    },
  ],
  description:
    'what your conversations are about, named by their own words; with a name, the conversations about it',
  examples: ['', '"merge conflicts"'],
  async run({ conversations, onProgress, signal }, { words, options }) {
    const { limit, anew, nameWithModel } = options as {
      limit?: number
      anew?: boolean
      nameWithModel?: boolean
    }
    const wanted = words.join(' ').trim()
    onProgress('looking through your conversations…')
    const found = await conversations.topics({
      anew,
      nameWithModel,
      signal,
      ...(wanted !== '' && { telling: MOST_SHOWN }),
    })
    return wanted === '' ? listed(found, limit) : one(found, wanted)
  },
}

function listed(found: TopicList, limit = found.topics.length): CommandResult {
  const { other, conversations } = found
  const topics = found.topics.slice(0, limit)
  const left = found.topics.length - topics.length
  return {
    data: { topics: topics.map(withShortIds), other, conversations },
    text: (paint) =>
      [
        ...topics.map((topic) => topicText(topic, paint)),
        ...(topics.length === 0 || other === 0
          ? []
          : [paint('dim', `${plural(other, 'conversation')} about other things`)]),
      ].join('\n\n'),
    ...remarkOn(found, left),
  }
}

function remarkOn({ topics, conversations }: TopicList, left: number): { remark?: string } {
  if (conversations === 0) return { remark: 'No conversations yet. Import yours: ralph conversations import' }
  if (topics.length === 0) {
    const have = plural(conversations, 'conversation')
    return { remark: `No topic yet: of ${have} no three are clearly about the same thing.` }
  }
  return left > 0 ? { remark: `(${plural(left, 'more topic')})` } : {}
}

/** By its id, its name, or a part of its name that no other has. */
function one(found: TopicList, wanted: string): CommandResult {
  const lower = wanted.toLowerCase()
  const exact = found.topics.filter(({ id, name }) => id === wanted || name.toLowerCase() === lower)
  const alike =
    exact.length > 0 ? exact : found.topics.filter(({ name }) => name.toLowerCase().includes(lower))
  const [topic, ...others] = alike
  if (!topic || others.length > 0) {
    const names = (topic ? alike : found.topics).slice(0, 20).map(({ name }) => JSON.stringify(name))
    const problem = topic
      ? `${JSON.stringify(wanted)} may be any of these`
      : `there is no topic ${JSON.stringify(wanted)}`
    throw new RalphError(topic ? 'invalid_input' : 'not_found', problem, {
      hint:
        names.length > 0 ? `Topics: ${names.join(', ')}` : 'No topic yet: see ralph conversations clusters',
    })
  }
  return { data: { topic: withShortIds(topic) }, text: (paint) => topicText(topic, paint) }
}

function withShortIds(topic: Topic): object {
  const telling = topic.telling.map((conversation) => ({
    ...conversation,
    shortId: shortId('conversation', conversation.id),
  }))
  return { ...topic, telling }
}

function topicText({ name, conversations, from, to, telling }: Topic, paint: Paint): string {
  const span = [...new Set([day(from), day(to)])].filter(Boolean).join(' to ')
  const facts = [plural(conversations, 'conversation'), span].filter(Boolean).join(' · ')
  return [
    `${paint('bold', oneLine(name, TITLE_CHARACTERS))}  ${paint('dim', facts)}`,
    ...telling.map(
      ({ id, title, updatedAt }) =>
        `  ${paint('dim', `${shortId('conversation', id)}  ${day(updatedAt)}`)}  ${oneLine(title, TITLE_CHARACTERS)}`,
    ),
  ].join('\n')
}
