import type { FoundExchange, SearchResults } from '../conversation-memory/retrieve/retriever.ts'
import { shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import { type CommandResult, type ConversationCommand, day, type Paint } from './command.ts'
import { typedQuestion } from './typed-values.ts'

export const search: ConversationCommand = {
  name: 'conversations search',
  arguments: '<query...>',
  options: [
    {
      flags: '--limit <number>',
      description: 'how many (default: the setting search.limit)',
      value: 'count',
    },
    {
      flags: '--min-similarity <number>',
      description: 'leave out what is less similar, 0 to 1 (default: the setting search.min_score)',
      value: 'fraction',
    },
    { flags: '--tag <tag...>', description: 'only conversations with all of these tags' },
  ],
  description: 'the best exchanges over all conversations; "last week" and "in March" are understood',
  examples: ['"how did we fix the timeout last week"', 'ETIMEDOUT --limit 3'],
  async run({ conversations, conversationId, numbered, signal }, { words, options }) {
    const { limit, minSimilarity, tag } = options as {
      limit?: number
      minSimilarity?: number
      tag?: string[]
    }
    const found = await conversations.search(typedQuestion(words), {
      signal,
      ...(conversationId && { excluding: conversationId }),
      ...(limit !== undefined && { limit }),
      ...(minSimilarity !== undefined && { minSimilarity }),
      ...(tag && { tags: tag }),
    })
    if (numbered) numbered.last = found.results.map(({ exchange }) => ({ exchangeId: exchange.id }))
    return searchResult(found, numbered !== undefined)
  },
}

const SHOWN_CHARACTERS = 200
const TITLE_CHARACTERS = 80

function searchResult(found: SearchResults, isNumbered: boolean): CommandResult {
  const { results, time, wordsOnly } = found
  const remarks = [
    ...(time ? [`(${time.phrase}: ${day(time.from)} to ${day(time.to)})`] : []),
    ...(results.length === 0 ? ['Nothing in past conversations is similar enough.'] : []),
    ...(isNumbered && results.length > 0 ? ['Read one where it was said: /open 1'] : []),
  ]
  return {
    data: found,
    text: (paint) =>
      results.map((one, at) => resultText(one, paint, isNumbered ? at + 1 : undefined)).join('\n\n'),
    ...(remarks.length > 0 && { remark: remarks.join('\n') }),
    ...(wordsOnly &&
      results.length > 0 && {
        remarkUnlessNoticed: '(by words only: nothing is embedded yet → ralph workers run --once)',
      }),
  }
}

function resultText(found: FoundExchange, paint: Paint, number: number | undefined): string {
  const { exchange, conversation, similarity, relevance, matched, duplicates } = found
  const facts = [
    day(exchange.completedAt ?? exchange.startedAt),
    conversation.from === undefined ? '' : `shared by ${conversation.from}`,
    `${relevance} ${similarity.toFixed(2)}`,
    matched.join(' and '),
    exchange.status === 'completed' ? '' : exchange.status,
    duplicates.length > 0 ? `${duplicates.length} more like it` : '',
  ]
  return [
    `${number === undefined ? '' : `${number}. `}${paint('bold', oneLine(conversation.title, TITLE_CHARACTERS))}  ${paint('dim', facts.filter(Boolean).join(' · '))}`,
    paint('dim', `  ${shortId('exchange', exchange.id)} of ${shortId('conversation', conversation.id)}`),
    `  ${paint('cyan', 'user')}       ${oneLine(exchange.userMessage, SHOWN_CHARACTERS)}`,
    ...(exchange.assistantMessage
      ? [`  ${paint('green', 'assistant')}  ${oneLine(exchange.assistantMessage, SHOWN_CHARACTERS)}`]
      : []),
  ].join('\n')
}
