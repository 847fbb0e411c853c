import { type ExpressionBuilder, sql } from 'kysely'
import { throwIfAborted } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationIndex } from '../conversation-index.ts'
import { conversationDocumentId, exchangeDocumentId } from '../documents.ts'
import { isOwn } from '../whose.ts'
import type { Talk } from './talk.ts'

interface Sources {
  storage: Storage
  person: Person
  index: ConversationIndex
}

/** What is looked at of a conversation. */
const FIRST_EXCHANGES = 8
const FIRST_CHARACTERS = 500

/** The person's own conversations, the oldest first; what sub-agents were told is part of another one. */
export async function readTalks({ storage, person, index }: Sources, signal?: AbortSignal): Promise<Talk[]> {
  const spoken = await readSpoken(storage, person)
  throwIfAborted(signal)
  const vectors = await meaningOf(index, spoken, signal)
  return spoken.map((talk) => ({ ...talk, vector: vectors.get(talk.id) }))
}

/** The same without what it means. */
export async function readSpoken(storage: Storage, person: Person): Promise<SpokenTalk[]> {
  const rows = await storage.db
    .selectFrom('conversations')
    .select(['id', 'title', 'updated_at'])
    .where(isOwn(person))
    .where('parent_id', 'is', null)
    .where('exchange_count', '>', 0)
    .orderBy((order) => order.fn.coalesce('updated_at', order.lit(0)))
    .orderBy('id')
    .execute()
  const said = await firstMessages(storage, person)
  return rows.map(({ id, title, updated_at }) => ({
    id,
    title: title ?? '',
    said: said.get(id)?.messages ?? [],
    at: Number(updated_at ?? 0),
    first: said.get(id)?.firstExchange,
  }))
}

interface SpokenTalk extends Talk {
  /** Its first exchange. */
  first: string | undefined
}

interface Beginning {
  firstExchange: string
  messages: string[]
}

async function firstMessages(storage: Storage, person: Person): Promise<Map<string, Beginning>> {
  const beginning = (row: ExpressionBuilder<Tables, 'exchanges'>) =>
    sql<string>`substr(${row.ref('exchanges.user_message')}, 1, ${sql.lit(FIRST_CHARACTERS)})`.as('said')
  const rows = await storage.db
    .selectFrom('exchanges')
    .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
    .select(['exchanges.id', 'exchanges.conversation_id', beginning])
    .where(isOwn(person))
    .where('conversations.parent_id', 'is', null)
    .where('exchanges.position', '<', FIRST_EXCHANGES)
    .orderBy('exchanges.conversation_id')
    .orderBy('exchanges.position')
    .execute()
  const found = new Map<string, Beginning>()
  for (const { id, conversation_id, said } of rows) {
    const known = found.get(conversation_id)
    if (known) known.messages.push(said)
    else found.set(conversation_id, { firstExchange: id, messages: [said] })
  }
  return found
}

/** What the summary and the beginning mean, as far as they are embedded: one says what came of it, the other what it was about. */
async function meaningOf(
  index: ConversationIndex,
  talks: readonly { id: string; first: string | undefined }[],
  signal: AbortSignal | undefined,
): Promise<Map<string, Float32Array>> {
  const summaries = await index.of('conversation').vectors(
    talks.map(({ id }) => conversationDocumentId(id)),
    signal,
  )
  const firsts = await index.of('exchange').vectors(
    talks.flatMap(({ first }) => (first === undefined ? [] : [exchangeDocumentId(first)])),
    signal,
  )
  const found = new Map<string, Float32Array>()
  for (const { id, first } of talks) {
    const summary = summaries.get(conversationDocumentId(id))
    const beginning = first === undefined ? undefined : firsts.get(exchangeDocumentId(first))
    const vector = summary && beginning ? middle(summary, beginning) : (summary ?? beginning)
    if (vector) found.set(id, vector)
  }
  return found
}

function middle(a: Float32Array, b: Float32Array): Float32Array {
  const sum = a.map((value, at) => value + b[at]!)
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}
