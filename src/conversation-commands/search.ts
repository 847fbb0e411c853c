import type { FoundExchange, SearchResults } from '../conversation-memory/retrieve/retriever.ts'
import { type FoundPiece, placeText } from '../documents/record.ts'
import { passageOf } from '../text/passage.ts'
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
  description:
    'the best exchanges over all conversations, and the best pieces of your documents; "last week" and "in March" are understood',
  examples: ['"how did we fix the timeout last week"', 'ETIMEDOUT --limit 3'],
  async run({ conversations, documents, conversationId, numbered, signal }, { words, options }) {
    const { limit, minSimilarity, tag } = options as {
      limit?: number
      minSimilarity?: number
      tag?: string[]
    }
    const question = typedQuestion(words)
    const found = await conversations.search(question, {
      signal,
      ...(conversationId && { excluding: conversationId }),
      ...(limit !== undefined && { limit }),
      ...(minSimilarity !== undefined && { minSimilarity }),
      ...(tag && { tags: tag }),
    })
    // Documents have neither tags nor times.
    const isOfConversations = tag !== undefined || found.time !== undefined
    const pieces = isOfConversations
      ? []
      : ((await documents?.search(question, {
          limit: Math.min(limit ?? MOST_PIECES, MOST_PIECES),
          minScore: minSimilarity,
          signal,
        })) ?? [])
    if (numbered)
      numbered.last = [
        ...found.results.map(({ exchange }) => ({ exchangeId: exchange.id })),
        ...pieces.map(({ piece }) => ({ pieceId: piece.id })),
      ]
    return searchResult(found, pieces, numbered !== undefined)
  },
}

/** Beside conversations, of which people look for most. */
const MOST_PIECES = 5
const SHOWN_CHARACTERS = 200
const TITLE_CHARACTERS = 80

function searchResult(
  found: SearchResults,
  pieces: readonly FoundPiece[],
  isNumbered: boolean,
): CommandResult {
  const { results, time, wordsOnly } = found
  const remarks = [
    ...(time ? [`(${time.phrase}: ${day(time.from)} to ${day(time.to)})`] : []),
    ...(results.length + pieces.length === 0
      ? ['Nothing in past conversations and documents is similar enough.']
      : []),
    ...(isNumbered && results.length + pieces.length > 0 ? ['Read one where it stands: /open 1'] : []),
  ]
  return {
    data: { ...found, documents: pieces },
    text: (paint) => {
      const number = (at: number) => (isNumbered ? `${at + 1}. ` : '')
      return [
        ...results.map((one, at) => number(at) + resultText(one, paint)),
        ...pieces.map((one, at) => number(results.length + at) + pieceText(one, found.query, paint)),
      ].join('\n\n')
    },
    ...(remarks.length > 0 && { remark: remarks.join('\n') }),
    ...(wordsOnly &&
      results.length > 0 && {
        remarkUnlessNoticed: '(by words only: nothing is embedded yet → ralph workers run --once)',
      }),
  }
}

function resultText(found: FoundExchange, paint: Paint): string {
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
    `${paint('bold', oneLine(conversation.title, TITLE_CHARACTERS))}  ${paint('dim', facts.filter(Boolean).join(' · '))}`,
    paint('dim', `  ${shortId('exchange', exchange.id)} of ${shortId('conversation', conversation.id)}`),
    `  ${paint('cyan', 'user')}       ${oneLine(exchange.userMessage, SHOWN_CHARACTERS)}`,
    ...(exchange.assistantMessage
      ? [`  ${paint('green', 'assistant')}  ${oneLine(exchange.assistantMessage, SHOWN_CHARACTERS)}`]
      : []),
  ].join('\n')
}

function pieceText(
  { piece, score, relevance, matched, alike }: FoundPiece,
  query: string,
  paint: Paint,
): string {
  const facts = [
    'document',
    `${relevance} ${score.toFixed(2)}`,
    matched.join(' and '),
    alike > 0 ? `${alike} more like it` : '',
  ]
  const title = [...new Set([piece.title, ...piece.headings])].join(' › ')
  return [
    `${paint('bold', oneLine(title, TITLE_CHARACTERS))}  ${paint('dim', facts.filter(Boolean).join(' · '))}`,
    paint('dim', `  ${shortId('piece', piece.id)} at ${placeText(piece.path, piece.place)}`),
    `  ${passageOf(piece.text, query, SHOWN_CHARACTERS).text}`,
  ].join('\n')
}
