import { throwIfAborted } from '../errors.ts'
import { writeGiven } from '../files/given-file.ts'
import type { Storage } from '../storage/storage.ts'
import { type GivenVector, vectorLine } from './backup-line.ts'
import type { ConversationIndex } from './conversation-index.ts'
import type { History } from './history.ts'
import type { Conversation, Exchange, Message } from './record.ts'
import type { Tags } from './tags.ts'

export interface ExportOptions {
  conversationId?: string
  tag?: string
  /** Also what happened between the messages: tool calls and their results. */
  messages?: boolean
  /** Also the vectors, with whose they are: whoever has the same embedder need not make them again. */
  vectors?: boolean
  /** Hears how many exchanges are written. */
  onProgress?: ((exchanges: number) => void) | undefined
  signal?: AbortSignal
}

export interface ExportReport {
  path: string
  exchanges: number
}

interface Sources {
  storage: Storage
  history: History
  tags: Tags
  index: ConversationIndex
}

const PAGE = 200

/** Writes the lines to a file that only its owner may read, whole or not at all. */
export async function exportTo(
  path: string,
  sources: Sources,
  options: ExportOptions,
): Promise<ExportReport> {
  const exchanges = await writeGiven(path, exportLines(sources, options), 'cannot export')
  return { path, exchanges }
}

/** All conversations of the person, or one, in the neutral form with all that is known, line by line however many there are. */
export async function* exportLines(sources: Sources, options: ExportOptions = {}): AsyncGenerator<string> {
  const { history, tags: allTags } = sources
  let written = 0
  for await (const conversation of conversationsOf(history, options)) {
    const tags = await allTags.of(conversation.id)
    let whole: object | undefined = await conversationFacts(sources, conversation, options)
    for (let from = 0; ; ) {
      throwIfAborted(options.signal)
      const page = await history.exchangesOf(conversation.id, { from, limit: PAGE })
      if (page.length === 0) break
      const facts = await exchangeFacts(sources, page, options)
      for (const exchange of page) {
        throwIfAborted(options.signal)
        yield JSON.stringify({
          ...toLine(conversation, exchange, facts),
          ...(tags.length > 0 && { tags }),
          ...(whole && { conversation: whole }),
        })
        whole = undefined
        written++
      }
      options.onProgress?.(written)
      from = page.at(-1)!.position + 1
    }
  }
}

async function* conversationsOf(history: History, options: ExportOptions): AsyncGenerator<Conversation> {
  if (options.conversationId !== undefined) {
    const conversation = await history.conversation(options.conversationId)
    if (conversation) yield conversation
    return
  }
  // What others share is theirs to keep.
  const filter = { own: true, limit: PAGE, ...(options.tag !== undefined && { tag: options.tag }) }
  for (let page = await history.list(filter); page.length > 0; ) {
    yield* page
    page = await history.list({ ...filter, after: page.at(-1)! })
  }
}

/** What is known of the whole of it, told with its first exchange. */
async function conversationFacts(
  { storage, index }: Sources,
  { id, source, project, parentId, shared, votes, updatedAt }: Conversation,
  options: ExportOptions,
): Promise<object> {
  const { summary, summary_model, summarised_exchanges } = await storage.db
    .selectFrom('conversations')
    .select(['summary', 'summary_model', 'summarised_exchanges'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const vector = options.vectors ? (await index.vectorsOf('conversation', [id])).get(id) : undefined
  return {
    source,
    ...(project && { project }),
    ...(parentId && { parent_id: parentId }),
    ...(shared && { shared }),
    ...(votes !== 0 && { votes }),
    ...(summary !== null && { summary, summary_model, summarised_exchanges }),
    ...(updatedAt && { updated_at: updatedAt.toISOString() }),
    ...(vector && { vector: vectorLine(vector) }),
  }
}

interface ExchangeFacts {
  steps: ReadonlyMap<string, readonly Message[]>
  /** Who wrote the summary. */
  models: ReadonlyMap<string, string>
  vectors: ReadonlyMap<string, GivenVector>
}

async function exchangeFacts(
  { storage, history, index }: Sources,
  page: readonly Exchange[],
  { messages = true, vectors = false }: ExportOptions,
): Promise<ExchangeFacts> {
  const ids = page.map(({ id }) => id)
  const rows = await storage.db
    .selectFrom('exchange_summaries')
    .select(['exchange_id', 'model'])
    .where('exchange_id', 'in', ids)
    .execute()
  return {
    steps: messages ? await history.steps(ids) : new Map(),
    models: new Map(rows.map(({ exchange_id, model }) => [exchange_id, model])),
    vectors: vectors ? await index.vectorsOf('exchange', ids) : new Map(),
  }
}

function toLine(conversation: Conversation, exchange: Exchange, facts: ExchangeFacts) {
  const { id, summary, votes, status, startedAt, completedAt } = exchange
  const steps = facts.steps.get(id) ?? []
  const vector = facts.vectors.get(id)
  return {
    conversation_id: conversation.id,
    title: conversation.title,
    exchange_id: id,
    user_message: exchange.userMessage,
    assistant_message: exchange.assistantMessage,
    ...(status !== 'completed' && { status }),
    ...(startedAt && { started_at: startedAt.toISOString() }),
    ...(completedAt && { completed_at: completedAt.toISOString() }),
    ...(summary !== undefined && { summary, summary_model: facts.models.get(id) }),
    ...(votes !== 0 && { votes }),
    ...(steps.length > 0 && {
      messages: steps.map(({ role, content, toolName }) => ({
        role,
        content,
        ...(toolName && { tool_name: toolName }),
      })),
    }),
    ...(vector && { vector: vectorLine(vector) }),
  }
}
