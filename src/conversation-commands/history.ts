import type { ConversationDetails, ExchangeDetails } from '../conversation-memory/details.ts'
import { sharedWords } from '../conversation-memory/record.ts'
import { plural } from '../text/plural.ts'
import { shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import { differingAgents } from '../transcripts/agents.ts'
import { type ConversationCommand, day, type Paint, said } from './command.ts'
import { conversationOrExchange } from './typed-id.ts'

const TITLE_CHARACTERS = 70
const STEP_CHARACTERS = 200

const list: ConversationCommand = {
  name: 'conversations list',
  options: [
    { flags: '--limit <number>', description: 'how many (default 50)', value: 'count' },
    { flags: '--tag <tag>', description: 'only with this tag' },
    { flags: '--after <id>', description: 'go on behind this conversation' },
  ],
  description: 'the latest first',
  examples: ['--limit 10'],
  async run({ conversations }, { options }) {
    const { limit, tag, after } = options as { limit?: number; tag?: string; after?: string }
    const { history } = conversations
    const listed = await history.list({
      ...(limit !== undefined && { limit }),
      ...(tag !== undefined && { tag }),
      ...(after !== undefined && {
        after: await history.existing(await conversations.ids.whole('conversation', after)),
      }),
    })
    const shown = listed.map((one) => ({ ...one, shortId: shortId('conversation', one.id) }))
    const agents = differingAgents(shown.map(({ source }) => source))
    const longest = Math.max(0, ...shown.map((one) => one.shortId.length))
    return {
      data: { conversations: shown },
      text: (paint) =>
        shown
          .map((one, at) =>
            [
              one.shortId.padEnd(longest),
              paint('dim', day(one.updatedAt).padEnd(10)),
              String(one.exchangeCount).padStart(4),
              oneLine(one.title, TITLE_CHARACTERS),
              ...(agents[at] ? [paint('dim', agents[at])] : []),
              ...sharedWords(one).map((words) => paint('dim', words)),
            ].join('  '),
          )
          .join('\n'),
      ...(listed.length === 0 && {
        remark: 'No conversations yet. Import yours: ralph conversations import',
      }),
    }
  },
}

const show: ConversationCommand = {
  name: 'conversations show',
  arguments: '<id>',
  options: [
    { flags: '--full', description: 'also tool calls, their results and what was said in between' },
    { flags: '--from <number>', description: 'of a long one: the exchange to begin with', value: 'position' },
  ],
  description: 'one conversation or exchange',
  examples: ['3f2a81b0 --full'],
  async run({ conversations }, { words: [typed], options }) {
    const { full, from } = options as { full?: boolean; from?: number }
    const details = await conversations.details({
      ...(await conversationOrExchange(conversations, typed!)),
      includeFullTranscript: full,
      from,
    })
    return {
      data: details,
      text: (paint) =>
        'exchanges' in details ? conversationText(details, paint) : exchangeText(details, paint),
    }
  },
}

function conversationText(details: ConversationDetails, paint: Paint): string {
  const { title, exchangeCount, summary, tags, exchanges, nextFrom } = details
  const facts = [plural(exchangeCount, 'exchange'), ...tags, ...sharedWords(details)]
  return [
    `${paint('bold', title)}  ${facts.join(', ')}`,
    ...(summary ? [summary] : []),
    '',
    ...exchanges.map((exchange) => `${exchangeText(exchange, paint)}\n`),
    ...(nextFrom === undefined ? [] : [`More: --from ${nextFrom}`]),
  ].join('\n')
}

function exchangeText(exchange: ExchangeDetails, paint: Paint): string {
  const { exchangeId, status, userMessage, assistantMessage, messages, messagesLeftOut } = exchange
  return [
    paint('dim', `${shortId('exchange', exchangeId)}${status === 'completed' ? '' : ` (${status})`}`),
    `${paint('cyan', 'user')}       ${userMessage}`,
    ...(messages ?? []).map(({ role, toolName, content }) =>
      paint('dim', `${role}${toolName ? ` ${toolName}` : ''}: ${oneLine(content, STEP_CHARACTERS)}`),
    ),
    ...(messagesLeftOut ? [paint('dim', `(${plural(messagesLeftOut, 'more step')})`)] : []),
    `${paint('green', 'assistant')}  ${assistantMessage || '(no answer)'}`,
  ].join('\n')
}

const forget: ConversationCommand = {
  name: 'conversations forget',
  arguments: '<id>',
  description: 'remove a conversation for good',
  examples: ['3f2a81b0'],
  asks: true,
  forPeople: 'forget conversations',
  async run({ conversations }, { words: [typed] }) {
    const meant = await conversations.ids.conversation(typed!)
    const { id, title, exchangeCount } = await conversations.history.own(meant.id)
    const question = `This removes "${title}" with ${plural(exchangeCount, 'exchange')} for good.`
    return {
      ...said({ forgets: id, exchanges: exchangeCount }, question),
      confirm: {
        question,
        go: async () => {
          await conversations.forget(id)
          return said({ forgotten: id }, `Forgot ${id}.`)
        },
      },
    }
  },
}

export const historyCommands = [list, show, forget]
