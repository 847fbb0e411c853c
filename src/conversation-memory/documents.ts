import type { Draft } from '../retrieval/draft.ts'
import type { Payload } from '../search-index/search-index.ts'
import type { ConversationRow } from '../storage/tables.ts'
import { deterministicUuid, sha256 } from '../text/ids.ts'
import { saysSomething } from '../text/small-talk.ts'
import { type Asking, askingOf, isBrief } from './asking.ts'
import { MILLISECONDS_PER_DAY } from './days.ts'
import type { SummarisedRow } from './exchange-rows.ts'
import type { Message } from './record.ts'
import { speakersOf, withoutTime } from './speakers.ts'
import { tellsTime } from './telling-time.ts'

/** How exchanges and conversations stand in the index: what is embedded, what words they are found by. */

export const EXCHANGES = 'conversation-exchanges'
export const SUMMARIES = 'conversation-summaries'

/** Days, not milliseconds: few distinct values make a small index, and people ask for days. */
export const CONVERSATION_FILTERS = ['conversation', 'day'] as const
export const CONVERSATION_FILTER_TYPES = { day: 'number' } as const

export type ItemKind = 'exchange' | 'conversation'

export interface ItemDraft extends Draft {
  /** Of the conversation or exchange in storage. */
  itemId: string
  revision: number
  /** "Hi" and "Hello, how can I help you?" are kept, but nobody looks for them: they would only stand before others. */
  isFindable: boolean
}

/** Models read some 256 tokens; what comes later does not count. */
const EMBEDDED_CHARACTERS = 1_600
const HALF_MESSAGE = 600
/** A pasted log beyond this is not searched by words; its beginning and the exchange around it are. */
const SEARCHED_CHARACTERS = 64_000

type ExchangeText = Pick<
  SummarisedRow,
  | 'id'
  | 'conversation_id'
  | 'position'
  | 'user_message'
  | 'assistant_message'
  | 'summary'
  | 'started_at'
  | 'revision'
>

export function exchangeDraft(row: ExchangeText, steps: readonly Message[]): ItemDraft {
  const embedded = embeddedExchange(row)
  const said = steps.map(({ content }) => content)
  const messages = [row.user_message, row.assistant_message].map(withoutTime)
  const speakers = speakersOf(messages)
  const asks = askingOf(messages)
  return {
    itemId: row.id,
    isFindable: said.length > 0 || saysSomething(row.user_message) || saysSomething(row.assistant_message),
    id: exchangeDocumentId(row.id),
    embedded,
    searched: [row.user_message, row.assistant_message, row.summary ?? '', ...said]
      .join('\n')
      .slice(0, SEARCHED_CHARACTERS),
    textHash: sha256(embedded),
    revision: Number(row.revision),
    payload: () => ({
      exchange: row.id,
      conversation: row.conversation_id,
      position: row.position,
      ...dayOf(row.started_at),
      ...(speakers.length > 0 && { speakers }),
      ...(tellsTime(messages) && { tells_time: true }),
      ...(asks && { asks }),
      ...(said.length === 0 && isBrief(messages) && { brief: true }),
    }),
  }
}

/** A short exchange speaks for itself; of a long one the summary comes first, then how it began and ended. */
function embeddedExchange({ user_message, assistant_message, summary }: ExchangeText): string {
  const whole = [user_message, assistant_message].filter(Boolean).map(withoutTime).join('\n')
  if (whole.length <= EMBEDDED_CHARACTERS / 2) return whole
  return [summary ?? '', user_message.slice(0, HALF_MESSAGE), assistant_message.slice(-HALF_MESSAGE)]
    .filter(Boolean)
    .join('\n')
    .slice(0, EMBEDDED_CHARACTERS)
    .toWellFormed()
}

type ConversationText = Pick<
  ConversationRow,
  'id' | 'title' | 'summary' | 'started_at' | 'updated_at' | 'revision'
>

export function conversationDraft(row: ConversationText): ItemDraft {
  const embedded = [row.title ?? '', row.summary ?? ''].filter(Boolean).join('\n')
  return {
    itemId: row.id,
    isFindable: true,
    id: conversationDocumentId(row.id),
    embedded,
    searched: embedded,
    textHash: sha256(embedded),
    revision: Number(row.revision),
    payload: () => ({ conversation: row.id, ...dayOf(row.updated_at ?? row.started_at) }),
  }
}

export function exchangeDocumentId(exchangeId: string): string {
  return deterministicUuid('exchange', exchangeId)
}

export function conversationDocumentId(conversationId: string): string {
  return deterministicUuid('conversation', conversationId)
}

function dayOf(time: number | null): Payload {
  return time === null ? {} : { day: Math.floor(time / MILLISECONDS_PER_DAY) }
}

/** What a document found in the exchanges' collection says of itself. */
export interface ExchangeHit {
  /** Its own id. */
  document: string
  exchange: string
  conversation: string
  position: number
  day: number | undefined
  /** Who speaks in it, where the messages say so. */
  speakers: readonly string[]
  /** It says when something was. */
  tellsTime: boolean
  /** It ends in a question. */
  asks: Asking | undefined
  /** It hardly says anything. */
  brief: boolean
}

export function exchangeHit({ id, payload }: { id: string; payload: Payload }): ExchangeHit {
  const { exchange, conversation, position, day, speakers, tells_time, asks, brief } = payload
  return {
    document: id,
    exchange: String(exchange),
    conversation: String(conversation),
    position: Number(position),
    day: typeof day === 'number' ? day : undefined,
    speakers: Array.isArray(speakers) ? speakers.map(String) : [],
    tellsTime: tells_time === true,
    asks: asks === 'only' || asks === 'last' ? asks : undefined,
    brief: brief === true,
  }
}
