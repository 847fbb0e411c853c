import { truncate } from '../../text/truncate.ts'
import type { FoundExchange, SearchResults } from '../retrieve/retriever.ts'
import { resultJson } from '../tools.ts'
import { type CommandResult, type ConversationCommand, wrongUsage } from './command.ts'

export const search: ConversationCommand = {
  name: 'search',
  usage: 'search <query>',
  description: 'search all past conversations by meaning and by words',
  examples: ['search how did we fix the timeout', 'search ETIMEDOUT last week'],
  async run(args, { conversations, conversationId, signal }) {
    const query = args.join(' ').trim()
    if (query === '') throw wrongUsage(search, 'search needs something to look for')
    return searchResult(
      await conversations.search(query, {
        ...(conversationId && { excluding: conversationId }),
        ...(signal && { signal }),
      }),
    )
  },
}

/** From 0.55 on a hit is called relevant, from 0.4 on possibly so, as in feature memory. */
export function relevanceOf(similarity: number): 'relevant' | 'possibly relevant' | 'weak' {
  return similarity >= 0.55 ? 'relevant' : similarity >= 0.4 ? 'possibly relevant' : 'weak'
}

export function searchResult({ query, results, time, wordsOnly, tookMs }: SearchResults): CommandResult {
  const found =
    results.length === 0 ? 'Nothing in past conversations matches.' : results.map(resultText).join('\n\n')
  return {
    text: [
      ...(time ? [`(${time.phrase}: ${day(time.from)} to ${day(time.to)})`] : []),
      found,
      ...(wordsOnly && results.length > 0
        ? ['', '(by words only: nothing is embedded yet, or the embedder is down)']
        : []),
    ].join('\n'),
    data: {
      query,
      ...(time && { time: { phrase: time.phrase, from: day(time.from), to: day(time.to) } }),
      wordsOnly,
      tookMs: Math.round(tookMs),
      results: results.map((one) => ({ ...resultJson(one), relevance: relevanceOf(one.similarity) })),
    },
  }
}

function resultText({ exchange, conversation, similarity, matched, duplicates }: FoundExchange): string {
  const date = exchange.completedAt ?? exchange.startedAt
  const facts = [
    ...(date ? [day(date)] : []),
    `${relevanceOf(similarity)} ${similarity.toFixed(2)}`,
    matched.join(' and '),
    ...(duplicates.length ? [`${duplicates.length} more like it`] : []),
  ]
  const line = (text: string) => truncate(text.replace(/\s+/g, ' ').trim(), 160)
  return [
    `${conversation.title}  [${facts.filter(Boolean).join(' · ')}]`,
    `  exchange ${exchange.id} of conversation ${conversation.id}`,
    `  > ${line(exchange.userMessage)}`,
    ...(exchange.assistantMessage ? [`  < ${line(exchange.assistantMessage)}`] : []),
  ].join('\n')
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}
