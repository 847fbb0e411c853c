import { RalphError } from '../errors.ts'
import { dataLine, dataLines } from '../text/quote.ts'
import { truncate } from '../text/truncate.ts'
import type { History } from './history.ts'
import type { Conversation, Exchange, Message } from './record.ts'
import type { Tags } from './tags.ts'

interface Sources {
  history: History
  tags: Tags
}

export interface DetailsRequest {
  conversationId?: string | undefined
  exchangeId?: string | undefined
  /** Also tool calls, their results and what was said in between. */
  includeFullTranscript?: boolean | undefined
  /** Of a long conversation: the exchange to begin with, from 0. */
  from?: number | undefined
}

export interface ExchangeDetails {
  exchangeId: string
  conversationId: string
  position: number
  status: Exchange['status']
  startedAt?: string
  completedAt?: string
  summary?: string
  userMessage: string
  assistantMessage: string
  messages?: Message[]
  /** Steps that did not fit. */
  messagesLeftOut?: number
}

export interface ConversationDetails {
  conversationId: string
  title: string
  source: string
  project?: string
  /** Who shares it, where it is not one's own. */
  from?: string
  /** Of one's own: everybody of the team sees it. */
  shared?: true
  startedAt?: string
  updatedAt?: string
  summary?: string
  tags: string[]
  exchangeCount: number
  exchanges: ExchangeDetails[]
  /** Ask again from here: there is more. */
  nextFrom?: number
}

/** What fits into a model's working memory without filling it; clients put longer answers into a file that nobody opens. */
const CHARACTERS = 40_000
const PAGE = 50
const MESSAGE = 12_000
/** Less of a message says nothing. */
const LEAST = 300

/** What `fetch_conversation_details` answers. Text is made safe to be read by a model. */
export async function fetchDetails(
  sources: Sources,
  request: DetailsRequest,
): Promise<ConversationDetails | ExchangeDetails> {
  if (request.exchangeId) return exchangeDetails(sources, request.exchangeId, request)
  if (request.conversationId) return conversationDetails(sources, request.conversationId, request)
  throw new RalphError('invalid_input', 'give a conversation_id or an exchange_id', {
    hint: 'The ids stand in the section "Related Past Conversations"; search_conversations finds others.',
  })
}

async function exchangeDetails(
  { history }: Sources,
  id: string,
  request: DetailsRequest,
): Promise<ExchangeDetails> {
  const exchange = await history.exchange(id)
  if (!exchange) throw notFound('exchange', id)
  return toDetails(
    exchange,
    request.includeFullTranscript ? await history.transcript(exchange) : undefined,
    CHARACTERS,
  )
}

async function conversationDetails(
  { history, tags }: Sources,
  id: string,
  request: DetailsRequest,
): Promise<ConversationDetails> {
  const conversation = await history.conversation(id)
  if (!conversation) throw notFound('conversation', id)
  const page = await history.exchangesOf(id, { from: request.from ?? 0, limit: PAGE })
  const exchanges: ExchangeDetails[] = []
  let room = CHARACTERS
  for (const exchange of page) {
    const messages = request.includeFullTranscript ? await history.transcript(exchange) : undefined
    const details = toDetails(exchange, messages, room)
    const size = JSON.stringify(details).length
    if (size > room && exchanges.length > 0) break
    exchanges.push(details)
    room -= size
  }
  const next = (exchanges.at(-1)?.position ?? -1) + 1
  return {
    ...conversationHead(conversation),
    tags: (await tags.of(id)).map((tag) => dataLine(tag)),
    exchanges,
    ...(next < conversation.exchangeCount && exchanges.length > 0 && { nextFrom: next }),
  }
}

function conversationHead(conversation: Conversation): Omit<ConversationDetails, 'tags' | 'exchanges'> {
  const { id, title, source, project, from, shared, startedAt, updatedAt, summary, exchangeCount } =
    conversation
  return {
    conversationId: dataLine(id),
    title: dataLine(title),
    source: dataLine(source),
    exchangeCount,
    ...(project && { project: dataLine(project) }),
    ...(from !== undefined && { from: dataLine(from) }),
    ...(shared && from === undefined && { shared }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(updatedAt && { updatedAt: updatedAt.toISOString() }),
    ...(summary && { summary: dataLines(summary) }),
  }
}

function toDetails(
  exchange: Exchange,
  messages: readonly Message[] | undefined,
  room: number,
): ExchangeDetails {
  const each = Math.max(LEAST, Math.min(MESSAGE, Math.floor(room / ((messages?.length ?? 0) + 3))))
  const safe = (text: string) => dataLines(truncate(text, each))
  const shown = messages?.slice(0, Math.max(1, Math.floor(room / LEAST) - 2))
  return {
    exchangeId: dataLine(exchange.id),
    conversationId: dataLine(exchange.conversationId),
    position: exchange.position,
    status: exchange.status,
    ...(exchange.startedAt && { startedAt: exchange.startedAt.toISOString() }),
    ...(exchange.completedAt && { completedAt: exchange.completedAt.toISOString() }),
    ...(exchange.summary && { summary: dataLines(exchange.summary) }),
    userMessage: safe(exchange.userMessage),
    assistantMessage: safe(exchange.assistantMessage),
    ...(shown && {
      messages: shown.map(({ role, toolName, content }) => ({
        role,
        ...(toolName !== undefined && { toolName: dataLine(toolName) }),
        content: safe(content),
      })),
    }),
    ...(messages &&
      shown &&
      messages.length > shown.length && { messagesLeftOut: messages.length - shown.length }),
  }
}

function notFound(kind: 'conversation' | 'exchange', id: string): RalphError {
  return new RalphError('not_found', `there is no ${kind} with the id ${JSON.stringify(id)}`, {
    hint: 'Find ids by a search: ralph conversations search QUERY (the tool search_conversations)',
  })
}
