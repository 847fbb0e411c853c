import { z } from 'zod'
import type { Conversations } from '../conversation-memory/conversations.ts'
import type { FoundExchange } from '../conversation-memory/retrieve/retriever.ts'
import type { ReceiptItem } from '../receipts/receipt.ts'
import { snakeKeys } from '../text/case.ts'
import { packed } from '../text/pack.ts'
import { dataLine, nameOrQuoted, quoted } from '../text/quote.ts'
import { checkedCount, limit, meaningfulQuery, query } from '../text/tool-arguments.ts'
import { shorten } from '../text/truncate.ts'
import {
  type AskedDocuments,
  cutPieceView,
  PieceView,
  pieceDetails,
  pieceReceipt,
  pieceView,
  pieceViewText,
} from './document-views.ts'

/** What a tool found, for programs and for models. Both forms say the same. */
export interface ConversationToolAnswer {
  structured: Record<string, unknown>
  text: string
  /** What was handed over, for the receipts. */
  items: ReceiptItem[]
}

export interface ToolContext {
  /** The conversation that the model is in: what is said there it knows already. */
  excluding?: string | undefined
  signal?: AbortSignal | undefined
  /** The person's own, found beside conversations; absent where there are none. */
  documents?: AskedDocuments | undefined
}

/** Something a model may ask conversation memory for, in the chat and over MCP alike. */
export interface ConversationTool<Input extends z.ZodRawShape = z.ZodRawShape> {
  name: string
  title: string
  description: string
  input: Input
  output: z.ZodRawShape
  /** The answer when memory is out of order. */
  empty: Record<string, unknown>
  run(
    conversations: Pick<Conversations, 'search' | 'details'>,
    args: z.output<z.ZodObject<Input>>,
    context: ToolContext,
  ): Promise<ConversationToolAnswer>
}

function defineTool<const Input extends z.ZodRawShape>(tool: ConversationTool<Input>): ConversationTool {
  return tool as unknown as ConversationTool
}

const MOST_RESULTS = 20
/** What a model reads costs tokens: it gets few unless it wants more. */
const DEFAULT_RESULTS = 5

const ExchangeView = z.object({
  exchange_id: z.string(),
  conversation_id: z.string(),
  title: z.string(),
  shared_by: z.string().optional(),
  date: z.string().optional(),
  similarity: z.number(),
  asked: z.string(),
  answered: z.string(),
})
type ExchangeView = z.infer<typeof ExchangeView>

/** What was found, of either kind. */
type Shown = ExchangeView | PieceView

const search = defineTool({
  name: 'search_conversations',
  title: 'Search past conversations and documents',
  description:
    'Search all past conversations of this user, in every project, and the documents they have added, by meaning and by words. Use it when the user refers to something said, done or written before. "last week" and "in March" are understood.',
  input: {
    query,
    limit: limit(MOST_RESULTS, DEFAULT_RESULTS),
    tags: z.array(z.string()).max(10).optional().describe('Only conversations with all of these tags'),
  },
  output: { results: z.array(ExchangeView), documents: z.array(PieceView).optional() },
  empty: { results: [] },
  async run(conversations, args, { excluding, signal, documents }) {
    const question = meaningfulQuery(args.query)
    const { results, time } = await conversations.search(question, {
      mostByDefault: DEFAULT_RESULTS,
      ...(args.limit !== undefined && {
        limit: checkedCount('limit', args.limit, MOST_RESULTS, DEFAULT_RESULTS),
      }),
      ...(excluding !== undefined && { excluding }),
      ...(signal && { signal }),
      ...(args.tags && args.tags.length > 0 && { tags: args.tags }),
    })
    // Documents have neither tags nor times.
    const isOfConversations = (args.tags?.length ?? 0) > 0 || time !== undefined
    const limit = Math.ceil((args.limit ?? DEFAULT_RESULTS) / 2)
    const pieces = isOfConversations ? [] : ((await documents?.search(question, { limit, signal })) ?? [])
    const { views, text } = packed<Shown, Length, Shown>(
      [...results.map(cleaned), ...pieces.map(pieceView)],
      {
        details: LENGTHS,
        view: (view, most) => ('piece_id' in view ? cutPieceView(view, most) : viewOf(view, most)),
        text: (view) => ('piece_id' in view ? pieceViewText(view) : viewText(view)),
      },
    )
    return {
      structured: {
        results: views.slice(0, results.length),
        ...(pieces.length > 0 && { documents: views.slice(results.length) }),
      },
      text: views.length > 0 ? text : 'Nothing in past conversations and documents matches.',
      items: [
        ...results.map((found, at) => receiptItem(found, JSON.stringify(views[at]))),
        ...pieces.map((found, at) => pieceReceipt(found, JSON.stringify(views[results.length + at]))),
      ],
    }
  },
})

const fetchDetails = defineTool({
  name: 'fetch_conversation_details',
  title: 'Read a past conversation or document',
  description:
    'Read a past conversation, one exchange of it, or more of a document around a piece of it, by the id that search_conversations or a note gave you.',
  input: {
    conversation_id: z.string().optional().describe('Id of a conversation'),
    exchange_id: z.string().optional().describe('Id of a single exchange'),
    piece_id: z.string().optional().describe('Id of a piece of a document'),
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
  async run(conversations, args, { documents }) {
    const isOfDocument = args.piece_id !== undefined && documents !== undefined
    const details = isOfDocument
      ? await pieceDetails(documents, args.piece_id!)
      : await conversations.details({
          conversationId: args.conversation_id,
          exchangeId: args.exchange_id,
          includeFullTranscript: args.include_full_transcript,
          from: args.from,
        })
    const plain = snakeKeys(details) as Record<string, unknown>
    const [kind, id] = isOfDocument
      ? ['document', args.piece_id]
      : args.exchange_id
        ? ['exchange', args.exchange_id]
        : ['conversation', args.conversation_id]
    const text = JSON.stringify(plain, null, 1)
    return {
      structured: { details: plain },
      text,
      items: [
        { kind: isOfDocument ? 'document' : 'conversation', source: `${kind} ${id}`, why: 'asked for', text },
      ],
    }
  },
})

export const CONVERSATION_TOOLS: readonly ConversationTool[] = [search, fetchDetails]

type Length = { title: number; text: number }
const LENGTHS: readonly Length[] = [60, 120, 200, 300, 500, 900].map((text) => ({
  title: Math.min(100, text),
  text,
}))
/** Enough to be cut to any of these. */
const LOOKED_AT = 3_000

/** With its texts made safe once, however often they are cut to size afterwards. */
function cleaned({ exchange, conversation, similarity }: FoundExchange): ExchangeView {
  const date = exchange.completedAt ?? exchange.startedAt
  return {
    exchange_id: nameOrQuoted(exchange.id),
    conversation_id: nameOrQuoted(conversation.id),
    title: dataLine(conversation.title),
    ...(conversation.from !== undefined && { shared_by: dataLine(conversation.from) }),
    ...(date && { date: date.toISOString().slice(0, 10) }),
    similarity: Math.round(similarity * 100) / 100,
    asked: dataLine(exchange.userMessage.slice(0, LOOKED_AT)),
    answered: dataLine(exchange.assistantMessage.slice(0, LOOKED_AT)),
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
    `- ${quoted(view.title, LOOKED_AT)} (exchange ${view.exchange_id} of conversation ${view.conversation_id}; ${view.date ?? 'no date'}; similarity ${view.similarity}${view.shared_by === undefined ? '' : `; shared by ${quoted(view.shared_by, LOOKED_AT)}`})`,
    `  asked: ${quoted(view.asked, LOOKED_AT)}`,
    `  answered: ${quoted(view.answered, LOOKED_AT) || '(no answer)'}`,
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
