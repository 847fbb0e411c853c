import { z } from 'zod'
import type { FoundExchange } from '../../conversation-memory/retrieve/retriever.ts'
import type { ReceiptItem } from '../../receipts/receipt.ts'
import { snakeKeys } from '../../text/case.ts'
import { asData, sanitise } from '../../text/sanitise.ts'
import { shorten } from '../../text/truncate.ts'
import { checkedCount, checkedQuery, limit, query } from '../arguments.ts'
import { packed } from '../pack.ts'
import { defineTool } from '../tool.ts'

const MOST_RESULTS = 20
const DEFAULT_RESULTS = 5
/** Clients put longer answers into a file that nobody opens. */
const LONGEST_DETAILS = 40_000

const ExchangeView = z.object({
  exchange_id: z.string(),
  conversation_id: z.string(),
  title: z.string(),
  date: z.string().optional(),
  similarity: z.number(),
  asked: z.string(),
  answered: z.string(),
})
type ExchangeView = z.infer<typeof ExchangeView>

const search = defineTool({
  name: 'search_conversations',
  title: 'Search past conversations',
  description:
    'Search all past conversations of this user by meaning and by words, in every project. Use it when the user refers to something said or done before. "last week" and "in March" are understood.',
  kind: 'read',
  perFeature: false,
  input: {
    query,
    limit: limit(MOST_RESULTS, DEFAULT_RESULTS),
    tags: z.array(z.string()).max(10).optional().describe('Only conversations with all of these tags'),
  },
  output: { results: z.array(ExchangeView) },
  empty: { results: [] },
  async run({ ralph, run, signal }, args) {
    const { results } = await ralph.conversations.search(checkedQuery(args.query), {
      limit: checkedCount('limit', args.limit, MOST_RESULTS, DEFAULT_RESULTS),
      // What is said in this session the agent knows already.
      excluding: run,
      signal,
      ...(args.tags && args.tags.length > 0 && { tags: args.tags }),
    })
    const { views, text } = packed(results.map(cleaned), { details: LENGTHS, view: viewOf, text: viewText })
    return {
      structured: { results: views },
      text: views.length > 0 ? text : 'Nothing in past conversations matches.',
      items: results.map((found, at) => receiptItem(found, JSON.stringify(views[at]))),
    }
  },
})

const fetchDetails = defineTool({
  name: 'fetch_conversation_details',
  title: 'Read a past conversation',
  description:
    'Read a past conversation, or one exchange of it, by the id that search_conversations or a note gave you.',
  kind: 'read',
  perFeature: false,
  input: {
    conversation_id: z.string().optional().describe('Id of a conversation'),
    exchange_id: z.string().optional().describe('Id of a single exchange'),
    include_full_transcript: z
      .boolean()
      .optional()
      .describe('Also tool calls, their results and what was said in between'),
    from: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe('Of a long conversation: the exchange to begin with, from 0'),
  },
  output: { details: z.record(z.string(), z.unknown()) },
  empty: { details: {} },
  async run({ ralph }, args) {
    const details = await ralph.conversations.details({
      conversationId: args.conversation_id,
      exchangeId: args.exchange_id,
      includeFullTranscript: args.include_full_transcript,
      from: args.from,
    })
    const plain = presentable(snakeKeys(details) as Record<string, unknown>)
    const source = `${args.exchange_id ? 'exchange' : 'conversation'} ${args.exchange_id ?? args.conversation_id}`
    const text = JSON.stringify(plain, null, 1)
    return {
      structured: { details: plain },
      text,
      items: [{ kind: 'conversation', source, why: 'asked for', text }],
    }
  },
})

export const conversationTools = [search, fetchDetails]

const LENGTHS = [60, 120, 200, 300, 500, 900].map((text) => ({ title: Math.min(100, text), text }))
/** Enough to be cut to any of these. */
const LOOKED_AT = 3_000

/** With its texts made safe once, however often they are cut to size afterwards. */
function cleaned({ exchange, conversation, similarity }: FoundExchange): ExchangeView {
  const date = exchange.completedAt ?? exchange.startedAt
  return {
    exchange_id: exchange.id,
    conversation_id: conversation.id,
    title: asData(conversation.title),
    ...(date && { date: date.toISOString().slice(0, 10) }),
    similarity: Math.round(similarity * 100) / 100,
    asked: asData(exchange.userMessage.slice(0, LOOKED_AT)),
    answered: asData((exchange.summary ?? exchange.assistantMessage).slice(0, LOOKED_AT)),
  }
}

function viewOf(view: ExchangeView, most: { title: number; text: number }): ExchangeView {
  return {
    ...view,
    title: shorten(view.title, most.title),
    asked: shorten(view.asked, most.text),
    answered: shorten(view.answered, most.text),
  }
}

function viewText(view: ExchangeView): string {
  return [
    `- ${view.title} (exchange ${view.exchange_id} of conversation ${view.conversation_id}; ${view.date ?? 'no date'}; similarity ${view.similarity})`,
    `  asked: ${view.asked}`,
    `  answered: ${view.answered}`,
  ].join('\n')
}

function receiptItem({ exchange, similarity, matched }: FoundExchange, text: string): ReceiptItem {
  return {
    kind: 'exchange',
    source: `exchange ${exchange.id}`,
    why: `found by ${matched.join(' and ')}`,
    score: similarity,
    text,
  }
}

/** Every text sanitised, and the longest ones cut until the whole is small enough to be shown. */
function presentable(details: Record<string, unknown>): Record<string, unknown> {
  for (let most = 10_000; ; most = Math.floor(most / 2)) {
    const short = mapTexts(details, (text) => {
      const clean = sanitise(text.slice(0, most))
      return text.length > most ? `${clean.toWellFormed()} [truncated]` : clean
    }) as Record<string, unknown>
    if (most < 100 || JSON.stringify(short).length <= LONGEST_DETAILS) return short
  }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}
