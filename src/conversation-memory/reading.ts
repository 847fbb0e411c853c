import { RalphError } from '../errors.ts'
import { truncate } from '../text/truncate.ts'
import type { History } from './history.ts'
import type { Conversation, Exchange, Message } from './record.ts'
import type { Tags } from './tags.ts'

/** What people read on a screen: as it was said, a page at a time. `details.ts` is for models. */

interface Sources {
  history: History
  tags: Tags
}

export interface ListedConversation extends Conversation {
  tags: string[]
}

export interface ConversationListOptions {
  tag?: string | undefined
  /** Default 50. */
  limit?: number | undefined
  /** `next` of the page before. */
  after?: string | undefined
}

export interface ListedConversations {
  conversations: ListedConversation[]
  next?: string
}

/** The latest first. */
export async function listConversations(
  { history, tags }: Sources,
  { tag, limit = PAGE, after }: ConversationListOptions,
): Promise<ListedConversations> {
  const from = after === undefined ? undefined : placeOf(after)
  const found = await history.list({
    limit: limit + 1,
    ...(tag !== undefined && { tag }),
    ...(from && { after: from }),
  })
  const shown = found.slice(0, limit)
  const carried = await tags.ofEach(shown.map(({ id }) => id))
  const last = shown.at(-1)
  return {
    conversations: shown.map((one) => ({ ...one, tags: carried.get(one.id) ?? [] })),
    ...(last && found.length > limit && { next: `${last.updatedAt?.getTime() ?? 0}/${last.id}` }),
  }
}

/** Of something that is in order: from a position on. */
export interface PositionPage {
  from?: number | undefined
  /** Default 50. */
  limit?: number | undefined
}

export interface ReadExchange extends Exchange {
  /** What happened between the message and the answer, in steps. */
  steps: number
  /** A long message, answer or summary is not here in full: read the exchange by itself. */
  isCut: boolean
}

export interface ReadConversation {
  conversation: ListedConversation
  exchanges: ReadExchange[]
  /** Go on with the exchange at this position. */
  nextFrom?: number
}

/** One conversation with a page of its exchanges, from a position on. */
export async function readConversation(
  { history, tags }: Sources,
  id: string,
  { from = 0, limit = PAGE }: PositionPage,
): Promise<ReadConversation> {
  const conversation = await history.existing(id)
  const found = await history.exchangesOf(id, { from, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const steps = await history.countSteps(shown.map((exchange) => exchange.id))
  const next = found[limit]
  return {
    conversation: { ...conversation, tags: await tags.of(id) },
    exchanges: shown.map((exchange) => ({ ...cut(exchange), steps: steps.get(exchange.id) ?? 0 })),
    ...(next && { nextFrom: next.position }),
  }
}

export interface ReadTranscript {
  exchange: Exchange
  conversation: Conversation
  /** The steps between the message and the answer, from a position on. */
  steps: Message[]
  stepCount: number
  /** Go on with the step at this position. */
  nextFrom?: number
}

/** One exchange in full, with a page of its steps. */
export async function readExchange(
  { history }: Sources,
  id: string,
  { from = 0, limit = PAGE }: PositionPage,
): Promise<ReadTranscript> {
  const exchange = await history.exchange(id)
  if (!exchange) {
    throw new RalphError('not_found', `there is no exchange ${id}`, {
      hint: 'Find it with: ralph conversations search QUERY',
    })
  }
  const stepCount = (await history.countSteps([id])).get(id) ?? 0
  const steps = await history.stepsOf(id, { from, limit })
  return {
    exchange,
    conversation: await history.existing(exchange.conversationId),
    steps,
    stepCount,
    ...(from + steps.length < stepCount && steps.length > 0 && { nextFrom: from + steps.length }),
  }
}

const PAGE = 50
/** More of a message than this is read by itself: a pasted dump would hide what is around it. */
const SHOWN_TEXT = 3_000

function cut(exchange: Exchange): Exchange & { isCut: boolean } {
  const { userMessage, assistantMessage, summary } = exchange
  return {
    ...exchange,
    userMessage: truncate(userMessage, SHOWN_TEXT),
    assistantMessage: truncate(assistantMessage, SHOWN_TEXT),
    ...(summary !== undefined && { summary: truncate(summary, SHOWN_TEXT) }),
    isCut: [userMessage, assistantMessage, summary ?? ''].some((text) => text.length > SHOWN_TEXT),
  }
}

/** Ids are other programs' and may have any characters. */
function placeOf(after: string): Pick<Conversation, 'id' | 'updatedAt'> {
  const [, time, id] = /^(\d{1,15})\/(.+)$/s.exec(after) ?? []
  if (id !== undefined) return { id, updatedAt: new Date(Number(time)) }
  throw new RalphError('invalid_input', `${JSON.stringify(after)} is not where a page ended`)
}
